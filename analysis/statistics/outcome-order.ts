/**
 * In which order outcome keys and values are listed. The order depends on what they are, never on which trial came
 * first, since trials of one series end in any order.
 */
import type { OutcomeValue } from '#analysis/model/trial.ts';

/**
 * Outcome families as a reader asks for them: what ran, what the tree and the head show of it, what they hide, what
 * the provider holds and its callers know; then the shape of the tree; then what was lost or went wrong; then where the
 * thread stands.
 */
const families = [
  'executed',
  'tree',
  'head',
  'hidden',
  'account',
  'provider',
  'effect',
  'abort',
  'repeatedCharges',
  'unknownCharges',
  'missingCharges',
  'rows',
  'roots',
  'forks',
  'undeclaredForks',
  'class',
  'sharedBlobs',
  'misreadLeaves',
  'duplicates',
  'zombies',
  'unrecorded',
  'lostRecords',
  'status',
];

const familyRank: ReadonlyMap<string, number> = new Map(families.map((family, rank) => [family, rank]));

/** UTF-16 code units, so that the order is the same on every machine and in every locale. */
const compareText = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);

/** `executed.charge` is node `charge` of family `executed`; node names may hold dots, families do not. */
function familyAndNode(key: string): readonly [family: string, node: string] {
  const dot = key.indexOf('.');
  return dot === -1 ? [key, ''] : [key.slice(0, dot), key.slice(dot + 1)];
}

/**
 * A comparison of outcome keys: by family in the order above, unknown families last by name; within a family by
 * `nodeOrder` (the graph's own order, say), nodes it does not list last by name. A total order on distinct keys.
 */
export function outcomeKeyOrder(nodeOrder: readonly string[]): (left: string, right: string) => number {
  const nodeRank = new Map(nodeOrder.map((node, rank) => [node, rank]));
  return (left, right) => {
    const [leftFamily, leftNode] = familyAndNode(left);
    const [rightFamily, rightNode] = familyAndNode(right);
    return (
      (familyRank.get(leftFamily) ?? families.length) - (familyRank.get(rightFamily) ?? families.length) ||
      compareText(leftFamily, rightFamily) ||
      (nodeRank.get(leftNode) ?? nodeOrder.length) - (nodeRank.get(rightNode) ?? nodeOrder.length) ||
      compareText(leftNode, rightNode) ||
      compareText(left, right)
    );
  };
}

const kindsInOrder: readonly string[] = ['number', 'string', 'boolean'];

/** Values of one key: numbers ascending, then text by code unit, then false before true. */
export function compareOutcomeValues(left: OutcomeValue, right: OutcomeValue): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  if (typeof left === 'string' && typeof right === 'string') return compareText(left, right);
  if (typeof left === 'boolean' && typeof right === 'boolean') return Number(left) - Number(right);
  return kindsInOrder.indexOf(typeof left) - kindsInOrder.indexOf(typeof right);
}
