/**
 * Chance that repeats: the same seed and stream give the same numbers on every machine. Easy to get wrong: threads are
 * made again for every table, so each draws from a stream of its own and never from what another thread left over.
 */

/**
 * Marsaglia's xorshift128, seeded through the finalizer of MurmurHash3. Good enough to vary rows, not for secrets.
 * *Source*: G. Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8(14), 2003, section 3 (shifts 11, 8, 19);
 * A. Appleby, MurmurHash3 `fmix32` (public domain).
 */
export class Chance {
  private x: number;
  private y: number;
  private z: number;
  private w: number;

  /** *Units*: both are taken as 32-bit integers. */
  constructor(seed: number, stream: number) {
    this.x = mixed(seed ^ 0x9e3779b9);
    this.y = mixed(this.x ^ stream);
    this.z = mixed(this.y + stream);
    // A state of zeros would stay zero.
    this.w = mixed(this.z ^ seed) | 1;
    for (let turn = 0; turn < 4; turn += 1) this.bits();
  }

  /** 32 random bits as an unsigned integer. */
  bits(): number {
    let t = this.x;
    t ^= t << 11;
    t ^= t >>> 8;
    this.x = this.y;
    this.y = this.z;
    this.z = this.w;
    this.w = (this.w ^ (this.w >>> 19) ^ t) | 0;
    return this.w >>> 0;
  }

  /** A number of at least 0 and under 1, in steps of 2^-32. */
  unit(): number {
    return this.bits() / 4_294_967_296;
  }

  /** An integer of at least `from` and under `to`. */
  between(from: number, to: number): number {
    return from + Math.floor(this.unit() * (to - from));
  }

  /** Eight hexadecimal digits. */
  hex8(): string {
    const bits = this.bits();
    return hex4(bits >>> 16) + hex4(bits & 0xffff);
  }

  /** Twelve hexadecimal digits. */
  hex12(): string {
    return this.hex8() + hex4(this.bits() >>> 16);
  }
}

/** Four hexadecimal digits. *Shape*: 0 to 65,535. */
export function hex4(value: number): string {
  return hexTexts[value] ?? '';
}

/** Looking a text up is several times as fast as making it. */
const hexTexts = Array.from({ length: 1 << 16 }, (_, value) => value.toString(16).padStart(4, '0'));

function mixed(value: number): number {
  let h = value | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}
