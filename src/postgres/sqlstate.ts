/**
 * Which SQLSTATE means what? The few that this program tells apart, by the names Postgres gives them. A server's text
 * is translated into the operator's language, its SQLSTATE never is, so only the latter is compared.
 * Source: PostgreSQL documentation, appendix A.
 */

/** SQLSTATE by condition name. */
export const sqlstate = {
  invalidAuthorization: '28000',
  invalidPassword: '28P01',
  invalidCatalogName: '3D000',
  insufficientPrivilege: '42501',
  duplicateSchema: '42P06',
  duplicateTable: '42P07',
  duplicateObject: '42710',
  uniqueViolation: '23505',
  readOnlyTransaction: '25006',
  lockNotAvailable: '55P03',
  tooManyConnections: '53300',
  diskFull: '53100',
  adminShutdown: '57P01',
  crashShutdown: '57P02',
  cannotConnectNow: '57P03',
} as const;

/**
 * The code an error carries: an SQLSTATE from the server or an errno name (`ECONNREFUSED`) from the system; null
 * when it carries none. Looks into an `AggregateError`, which is what a name with several addresses fails with.
 */
export function codeOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null) return null;
  if ('code' in error && typeof error.code === 'string') return error.code;
  if (error instanceof AggregateError) {
    for (const inner of error.errors) {
      const code = codeOf(inner);
      if (code !== null) return code;
    }
  }
  return null;
}
