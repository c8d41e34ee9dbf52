/**
 * What to type after an audit. Easy to get wrong: a command is pasted into a shell, so every name from the data is
 * quoted, and a source that cannot be read a second time gets no command that would.
 */
import type { ThreadReport } from '#analysis/model/report.ts';
import type { AuditedSource } from '../audit/audited-source.ts';
import { shellWord } from './shell-word.ts';

/** A command and what it is for. */
interface Command {
  readonly command: string;
  readonly purpose: string;
}

/** Commands for the reader's next question, one a line; null where none is known. `worst` is worst first. */
export function nextCommands(
  { name, log }: AuditedSource,
  worst: readonly ThreadReport[],
  isAnonymous: boolean,
): string | null {
  const place = isAnonymous ? 'SOURCE' : shellWord(name.name);
  if (place === null || worst.length === 0) return null;
  const isPiped = name.name === '-' || name.name === 'standard input';
  const source = isPiped ? 'FILE' : place;
  const commands: Command[] = [];
  const thread = isAnonymous ? 'THREAD' : firstThread(worst);
  if (thread !== null) {
    commands.push({ command: `forkscope show ${source} ${thread}`, purpose: 'the worst thread as a tree' });
  }
  if (log === null && name.kind !== 'run') {
    commands.push({
      command: `forkscope audit ${source} --effects LOG`,
      purpose: 'joined with a log of what was really done',
    });
  }
  commands.push({
    command: `forkscope audit ${source} --format ndjson`,
    purpose: 'every thread with warnings or errors, one a line',
  });
  if (!isAnonymous) {
    commands.push({
      command: `forkscope audit ${source} --anonymize`,
      purpose: 'neutral names, to be shared',
    });
  }
  const width = Math.max(...commands.map(({ command }) => command.length));
  const lines = commands.map(({ command, purpose }) => `  ${command.padEnd(width)}   # ${purpose}`);
  const head = isPiped ? 'next (with the dump in a FILE):' : 'next:';
  return [head, ...lines].join('\n');
}

/** The worst thread whose name can be typed, with its schema. */
function firstThread(worst: readonly ThreadReport[]): string | null {
  for (const { thread, schema } of worst) {
    const word = shellWord(thread);
    const schemaWord = schema === null ? '' : shellWord(schema);
    if (word === null || schemaWord === null) continue;
    const filter = schemaWord === '' ? '' : `--schema ${schemaWord} `;
    // What begins with a dash would be taken for an option.
    return thread.startsWith('-')
      ? `${filter}-- ${word}`
      : `${word}${filter === '' ? '' : ` ${filter.trimEnd()}`}`;
  }
  return null;
}
