/**
 * On what machine was something measured? A figure without it cannot be compared with anything. `cores` counts the
 * processors this process may use, which in a container is less than what the machine has.
 */
import { availableParallelism, cpus, totalmem } from 'node:os';

/** The facts that a measured figure depends on. */
export interface Machine {
  /** The processor's own name; null where the system does not tell. */
  readonly cpu: string | null;
  readonly cores: number;
  readonly memoryBytes: number;
  /** Without the leading v. */
  readonly node: string;
  /** Operating system and processor architecture: `linux-x64`. */
  readonly platform: string;
}

/** The machine this process runs on. */
export function thisMachine(): Machine {
  const model = cpus()[0]?.model.trim() ?? '';
  return {
    cpu: model === '' || model === 'unknown' ? null : model,
    cores: availableParallelism(),
    memoryBytes: totalmem(),
    node: process.versions.node,
    platform: `${process.platform}-${process.arch}`,
  };
}
