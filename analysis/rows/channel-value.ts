/**
 * A channel's value at a checkpoint, found as the savers find it: the blob of the channel's version, else the value
 * inlined in the row. Easy to get wrong: an `empty` blob means no value, an absent key means never written, and a
 * delta channel is absent by design.
 * Source: JS `checkpoint-postgres/index.js` 137-150, Python `postgres/base.py` 224-246.
 */
import type { CheckpointRow, Json } from '#analysis/model/checkpoint.ts';
import type { ChannelName } from '#analysis/model/identifiers.ts';
import { decodeStored, type DecodedValue } from '#analysis/serialization/decode-stored.ts';
import { jsonValue } from '#analysis/serialization/json-values.ts';
import type { BlobStore } from './stores.ts';

/** A value, none, one that cannot be read, or `unknown` where the source lacks what would tell. */
export type ChannelValue = DecodedValue | { readonly kind: 'unknown'; readonly because: string };

/** Reads a channel at a row. */
export function readChannel(row: CheckpointRow, channel: ChannelName, blobs: BlobStore): ChannelValue {
  const version = row.channelVersions.get(channel);
  if (version !== undefined) {
    const stored = blobs.find(row.namespace, channel, version);
    if (stored !== undefined && stored.type !== 'empty') return decodeStored(stored);
    if (stored !== undefined && row.inlineValues?.has(channel) !== true) return { kind: 'empty' };
  }
  const inline = row.inlineValues?.get(channel);
  if (inline !== undefined) return { kind: 'value', value: inlineValue(inline) };
  if (version === undefined) return { kind: 'empty' };
  if (!blobs.present) return { kind: 'unknown', because: 'the source has no table of blobs' };
  // Python keeps neither a key nor a blob for a cleared channel; JS always keeps a row.
  return row.inlineValues === null ? { kind: 'unknown', because: 'its blob is absent' } : { kind: 'empty' };
}

function inlineValue(value: Json): ReturnType<typeof jsonValue> {
  return value !== null && typeof value === 'object' ? jsonValue(JSON.stringify(value)) : value;
}
