import { readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { accountThread } from '../executions/thread-account.ts';
import { headOf, lineageOf } from '../lineage/head.ts';
import { rowAt } from '../lineage/tree.ts';
import { versionCollisions } from '../anomalies/version-collisions.ts';
import { corpusThreads } from './corpus.ts';

const folder = new URL('.', import.meta.url);
const sets = readdirSync(folder).filter((name) => name.endsWith('.jsonl.gz'));

const copyCase = 'update_state-__copy__';

describe.each(sets)('every thread of %s has the tree its truth file says', (set) => {
  const threads = corpusThreads(gunzipSync(readFileSync(new URL(set, folder))).toString('utf8'));
  const shallow = set.startsWith('shallow');

  test.each(threads.map((entry) => [entry.thread.slice(0, 60), entry] as const))('%s', (_, entry) => {
    const account = accountThread(entry.evidence.rows);
    const truths = new Map(entry.truth?.namespaces ?? []);
    if (!shallow) expect(account.namespaces.map(({ namespace }) => namespace)).toEqual([...truths.keys()].sort());
    for (const { namespace, tree, forks, ...rest } of account.namespaces) {
      const truth = truths.get(namespace);
      if (truth === undefined) continue;
      const id = (at: number): string => rowAt(tree, at).id;
      expect(tree.rows.length).toBe(truth.checkpoint_count);
      expect(tree.roots.map(id)).toEqual([...truth.roots].sort());
      expect(tree.leaves.map(id)).toEqual([...truth.leaves].sort());
      expect(id(headOf(tree))).toBe(truth.head);
      expect(lineageOf(tree, headOf(tree))).toHaveLength(truth.head_lineage_length);
      expect(tree.orphans).toHaveLength(truth.dangling_parents.length);
      // The truth files list forked parents only; two roots are a fork here too.
      const expected = truth.forks.map(({ parent, children }) => `${parent} ${[...children].sort().join(' ')}`);
      const forked = forks.filter(({ parent }) => parent !== null);
      expect(
        forked.map(({ parent, children }) => `${String(parent)} ${children.map(id).join(' ')}`).sort(),
      ).toEqual(expected.sort());
      expect(forks.length - forked.length).toBe(truth.roots.length > 1 ? 1 : 0);
      if (truth.shared_versions === undefined) continue;
      const shared = versionCollisions({ namespace, tree, forks, ...rest });
      const found = shared.map(({ channel, version }) => `${channel} ${version}`);
      // The truth counts a copy's pairs as introduced twice; a copy shares its original's blobs by design.
      const copies = new Set(tree.rows.filter((row) => row.source === 'fork').map((row): string => row.id));
      const minted = truth.shared_versions.filter(({ channel, version, introducers }) => {
        const apart = introducers.filter((row) => !copies.has(row));
        return apart.length > 1 || found.includes(`${channel} ${version}`);
      });
      expect(found.sort()).toEqual(minted.map(({ channel, version }) => `${channel} ${version}`).sort());
      expect(truth.shared_versions.length - minted.length).toBe(entry.truth?.case === copyCase ? 4 : 0);
    }
  });
});
