/** Numbers as people read them: counts with their noun, sizes, durations. Sizes are decimal, as disks and `dd` tell them. */

/** `1 thread`, `2 threads`, `12,345 threads`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

/** Thousands apart: `12,345`. */
export function grouped(count: number): string {
  return count.toLocaleString('en-US');
}

/** `950 B`, `1.2 GB`. */
export function sizeText(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let [size, at] = [bytes, 0];
  while (size >= 999.5 && at < units.length - 1) {
    size /= 1e3;
    at += 1;
  }
  return `${at > 0 && size < 99.95 ? size.toFixed(1) : size.toFixed(0)} ${units[at] ?? ''}`;
}

/** `8 s`, `3 min 20 s`, `2 h 05 min`. */
export function durationText(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${pad(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${pad(minutes % 60)} min`;
}

function pad(number: number): string {
  return String(number).padStart(2, '0');
}
