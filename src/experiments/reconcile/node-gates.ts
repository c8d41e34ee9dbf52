/** Which nodes are held until somebody lets them go? One gate a thread, so that no timing decides who is at work. */

interface Gate {
  isOpen: boolean;
  readonly waiting: (() => void)[];
  /** Called once, when a node waits here. */
  readonly onHeld: () => void;
  wasHeld: boolean;
}

/** The gates of one process. A thread without a gate is never held. */
export class NodeGates {
  readonly #gates = new Map<string, Gate>();

  /** Closes the gate of a thread. */
  close(thread: string, onHeld: () => void): void {
    this.#gates.set(thread, { isOpen: false, waiting: [], onHeld, wasHeld: false });
  }

  /** Resolves when the thread's gate is open. */
  async pass(thread: string): Promise<void> {
    const gate = this.#gates.get(thread);
    if (gate === undefined || gate.isOpen) return;
    const opened = new Promise<void>((resolve) => gate.waiting.push(resolve));
    this.arrived(thread);
    await opened;
  }

  /** A node that does not wait is at work behind the gate. */
  arrived(thread: string): void {
    const gate = this.#gates.get(thread);
    if (gate === undefined || gate.wasHeld) return;
    gate.wasHeld = true;
    gate.onHeld();
  }

  isOpen(thread: string): boolean {
    return this.#gates.get(thread)?.isOpen ?? true;
  }

  open(thread: string): void {
    const gate = this.#gates.get(thread);
    if (gate === undefined) return;
    gate.isOpen = true;
    for (const resolve of gate.waiting.splice(0)) resolve();
  }

  openAll(): void {
    for (const thread of this.#gates.keys()) this.open(thread);
  }
}
