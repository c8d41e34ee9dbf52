/**
 * A packed row of checkpoints as the record that decoding its text would have given. Easy to get wrong: a row repeats
 * what every node saw last, so equal entries are made once and shared.
 */
import type { ChannelVersions, CheckpointRow, Json, VersionsSeen } from '#analysis/model/checkpoint.ts';
import type {
  ChannelName,
  CheckpointId,
  Namespace,
  NodeName,
  ThreadId,
} from '#analysis/model/identifiers.ts';
import { decodeMetadata, type Metadata } from '#analysis/rows/decode-checkpoint.ts';
import { copyField } from '../copy-text.ts';
import { RowFault, text } from '../text-field.ts';
import { tags } from './pack-checkpoint.ts';
import type { PackedText } from './packed-text.ts';
import { VersionUnpacker } from './pack-version.ts';

/** Metadata texts are made into records once; more different ones than this are not kept. */
const mostMetadata = 4_096;

/** Unpacks the rows of one shard. */
export class CheckpointUnpacker {
  readonly #versions = new VersionUnpacker();
  readonly #metadata = new Map<string, Metadata>();
  /** Channel → version → the entry of a node that saw it alone. */
  readonly #entries = new Map<string, Map<number | string, ChannelVersions>>();
  readonly #text: PackedText;

  constructor(text: PackedText) {
    this.#text = text;
  }

  /** Forgets what was shared; to be called between threads. */
  forget(): void {
    this.#versions.forget();
    this.#entries.clear();
  }

  /** The row at a word. *Fails* with DecodeError where metadata has the wrong shape. */
  read(at: number, names: readonly string[]): CheckpointRow {
    const packed = this.#text;
    packed.at = at;
    const thread = packed.repeated();
    const namespace = packed.text();
    const id = packed.memorable();
    const parent = packed.recent();
    let format: number | null = null;
    let timestamp: string | null = null;
    let versionsSeen: VersionsSeen = noneSeen;
    let channelVersions: ChannelVersions = noVersions;
    let inlineValues: ReadonlyMap<ChannelName, Json> | null = null;
    for (let tag = packed.number(); tag !== tags.end; tag = packed.number()) {
      if (tag === tags.seen) versionsSeen = this.#seen(names);
      else if (tag === tags.channels) channelVersions = this.#channels(names, packed.number());
      else if (tag === tags.inline) inlineValues = this.#inline(names);
      else if (tag === tags.format) format = packed.number();
      else timestamp = packed.text();
    }
    const { source, step, parents, run, metadata } = this.#decodedMetadata(id, thread);
    return {
      thread: thread as ThreadId,
      namespace: namespace as Namespace,
      id: id as CheckpointId,
      parent: parent as CheckpointId | null,
      format,
      timestamp,
      channelVersions,
      versionsSeen,
      inlineValues,
      source,
      step,
      parents,
      run,
      metadata,
    };
  }

  #seen(names: readonly string[]): VersionsSeen {
    const count = this.#text.number();
    const seen = new Map<NodeName, ChannelVersions>();
    for (let turn = 0; turn < count; turn += 1) {
      const node = names[this.#text.number()] ?? '';
      const channels = this.#text.number();
      seen.set(node as NodeName, channels === 1 ? this.#entry(names) : this.#channels(names, channels));
    }
    return seen;
  }

  #entry(names: readonly string[]): ChannelVersions {
    const channel = names[this.#text.number()] ?? '';
    const version = this.#version();
    let ofChannel = this.#entries.get(channel);
    if (ofChannel === undefined)
      this.#entries.set(channel, (ofChannel = new Map<number | string, ChannelVersions>()));
    let entry = ofChannel.get(version);
    if (entry === undefined) {
      entry = new Map([[channel as ChannelName, version]]);
      ofChannel.set(version, entry);
    }
    return entry;
  }

  #channels(names: readonly string[], count: number): ChannelVersions {
    if (count === 0) return noVersions;
    const versions = new Map<ChannelName, number | string>();
    for (let turn = 0; turn < count; turn += 1) {
      const channel = names[this.#text.number()] ?? '';
      versions.set(channel as ChannelName, this.#version());
    }
    return versions;
  }

  #version(): number | string {
    const version = this.#versions.read(this.#text.words, this.#text.at);
    this.#text.at += this.#versions.words;
    return version;
  }

  #inline(names: readonly string[]): ReadonlyMap<ChannelName, Json> {
    const count = this.#text.number();
    const values = new Map<ChannelName, Json>();
    for (let turn = 0; turn < count; turn += 1) {
      const channel = names[this.#text.number()] ?? '';
      const field = this.#text.bytes();
      values.set(channel as ChannelName, field.length === 0 ? null : (parsed('checkpoint', field) as Json));
    }
    return values;
  }

  #decodedMetadata(id: string, thread: string): Metadata {
    const field = this.#text.bytes();
    const spelled = field.toString('latin1');
    const known = this.#metadata.get(spelled);
    if (known !== undefined) return known;
    const name = `checkpoint ${id} of thread ${JSON.stringify(thread)}`;
    const decoded = decodeMetadata(name, parsed('metadata', field));
    if (this.#metadata.size >= mostMetadata) this.#metadata.clear();
    this.#metadata.set(spelled, decoded);
    return decoded;
  }
}

const noVersions: ChannelVersions = new Map();
const noneSeen: VersionsSeen = new Map();

/** The JSON of a raw field of COPY text. */
function parsed(column: string, raw: Buffer): unknown {
  const source = text(column, copyField(raw, 0, raw.length));
  try {
    return JSON.parse(source) as unknown;
  } catch (cause) {
    throw new RowFault(`the column ${column} is no JSON`, { cause });
  }
}
