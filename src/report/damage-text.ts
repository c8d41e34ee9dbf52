/** What of a source could not be read, in sentences. Places and reasons quote the data, so each is escaped. */
import { skippedRows, type SourceDamage } from '../audit/source-damage.ts';
import { printable } from './printable.ts';

/** More tables than this are counted, not listed. */
const mostTables = 8;

/** A paragraph for the faults and one for the rows left out; empty where everything could be read. */
export function damageText(damage: SourceDamage): readonly string[] {
  const { faults, skipped } = damage;
  const told = faults.map((fault) => `not all was read: ${printable(fault, 900)}`);
  const rows = skippedRows(damage);
  if (rows === 0) return told;
  const tables = [...skipped.byTable].map(([table, count]) => `${count} of ${printable(table, 80)}`);
  const more = tables.length > mostTables ? `, and of ${tables.length - mostTables} tables more` : '';
  return [
    ...told,
    [
      `left out: ${rows} damaged ${rows === 1 ? 'row' : 'rows'} (${tables.slice(0, mostTables).join(', ')}${more})`,
      ...skipped.examples.map((example) => `  ${printable(example, 600)}`),
      ...(skipped.examples.length < rows && skipped.examples.length > 0
        ? [`  … and ${rows - skipped.examples.length} more`]
        : []),
    ].join('\n'),
  ];
}
