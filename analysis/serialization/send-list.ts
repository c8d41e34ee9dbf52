/**
 * Which tasks did a superstep send? The channel `__pregel_tasks` holds the Sends that the next superstep will run, one
 * task per element, in the order of their index. Easy to get wrong: JS 0.4.0 to 1.4.8 stored `[[seen],[sends]]`, so an
 * emptied list of that time has two elements and no Send.
 */
import type { NodeName } from '../model/identifiers.ts';
import { type Decoded, isConstructed, isList, isMapping } from './decoded.ts';
import { type DecodedValue, describeUnreadable } from './decode-stored.ts';

/** The nodes sent to, in Send order with repetitions; or why they are not known. */
export type SendList =
  | { readonly kind: 'sends'; readonly nodes: readonly NodeName[] }
  | { readonly kind: 'unreadable'; readonly because: string };

/**
 * The Send list of a `__pregel_tasks` blob. No value means no Sends. *Source*: `channels/topic.js` of
 * @langchain/langgraph 1.7.3 and its older shapes; Python stores extension 1 `("langgraph.types","Send",[node,arg])`.
 */
export function sendList(value: DecodedValue): SendList {
  if (value.kind === 'empty') return { kind: 'sends', nodes: [] };
  if (value.kind === 'unreadable') return { kind: 'unreadable', because: describeUnreadable(value) };
  const sends = sentOf(value.value);
  if (sends === null) return { kind: 'unreadable', because: 'it is no list of Sends' };
  const nodes: NodeName[] = [];
  for (const [index, send] of sends.entries()) {
    const node = sendNode(send);
    if (node === null) return { kind: 'unreadable', because: `its element ${index} is no Send` };
    nodes.push(node);
  }
  return { kind: 'sends', nodes };
}

/** A pair of collections is the older `[seen, sends]`: no Send is itself a list. Python's old `seen` is a set. */
function sentOf(value: Decoded): readonly Decoded[] | null {
  if (!isList(value)) return null;
  const [seen, sends] = value;
  if (value.length !== 2 || seen === undefined || sends === undefined || !isList(sends)) return value;
  return isList(seen) || (isConstructed(seen) && sendNode(seen) === null) ? sends : value;
}

/**
 * The node one Send names, as write rows of `__pregel_tasks` hold them singly; null when the value is no Send.
 * JS stores `{node, args}`, Python an object named `Send` with its arguments in order or by name.
 */
export function sendNode(value: Decoded): NodeName | null {
  const node = isMapping(value) ? value.get('node') : isConstructed(value) ? constructedNode(value) : null;
  return typeof node === 'string' ? (node as NodeName) : null;
}

function constructedNode(value: { readonly name: string; readonly payload: Decoded }): Decoded | undefined {
  if (value.name !== 'Send') return undefined;
  if (isList(value.payload)) return value.payload[0];
  return isMapping(value.payload) ? value.payload.get('node') : undefined;
}
