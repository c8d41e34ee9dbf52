/**
 * A saver whose channel versions are strings with a random tail, as Python's are. Two branches then never mint the
 * same version, so no branch's state is overwritten by a sibling's blob; that two runs fork is not changed. Easy to get
 * wrong: LangGraph JS compares version strings as text, so the counter must be padded.
 */
import { randomBytes } from 'node:crypto';
import { RecordingSaver } from './recording-saver.ts';

/** As many digits as Python's saver pads to (langgraph-checkpoint-postgres 3.1, get_next_version). */
const counterDigits = 32;

/** See the file's head. */
export class UniqueVersionSaver extends RecordingSaver {
  // The base class declares numbers; LangGraph itself takes both (langgraph-checkpoint 1.2.2, compareChannelVersions).
  override getNextVersion(current: number | undefined): number {
    const counter = current === undefined ? 0 : Number.parseInt(String(current), 10);
    const next = `${String(counter + 1).padStart(counterDigits, '0')}.${randomBytes(8).toString('hex')}`;
    return next as unknown as number;
  }
}
