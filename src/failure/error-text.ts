/** What a caught value says: JavaScript throws anything, so a message cannot be taken for granted. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
