/** Colour only where the reader's terminal shows it, and tables that stay readable when copied into an issue. */
import type { Severity } from '#analysis/model/finding.ts';

/** Whether colours may be used. */
export interface Palette {
  readonly colour: boolean;
}

/** No colour at all: files, pipes, NO_COLOR. */
export const plain: Palette = { colour: false };

/** Follows the stream and the NO_COLOR convention (no-color.org). */
export function paletteFor(stream: { readonly isTTY?: boolean }, environment: NodeJS.ProcessEnv): Palette {
  return { colour: stream.isTTY === true && (environment['NO_COLOR'] ?? '') === '' };
}

const codes: Readonly<Record<Severity | 'valid' | 'strong' | 'faint', string>> = {
  error: '31',
  warning: '33',
  info: '36',
  valid: '32',
  strong: '1',
  faint: '2',
};

/** What a text can be painted as. */
export type Tone = keyof typeof codes;

/** The text in the colour of a severity. The text must already be printable. */
export function paint(palette: Palette, tone: Tone, text: string): string {
  return palette.colour ? `\u001b[${codes[tone]}m${text}\u001b[0m` : text;
}

/** cli-table3's options without its own colours. */
export function plainBorders(palette: Palette): {
  style: { head: string[]; border: string[]; compact: boolean };
} {
  return { style: { head: palette.colour ? ['bold'] : [], border: [], compact: true } };
}
