/** One query to its answer: from the cluster's objects, or from the machine's resolvers. */
import { decodeMessage } from './decode.ts';
import { encodeMessage, encodeWithin } from './encode.ts';
import type { Forwarder, Transport } from './forward.ts';
import { codes, type Message, type Question, type ResourceRecord, types } from './message.ts';
import { answerOf, authorityOf, type ZoneObjects } from './zone.ts';

export interface Resolver {
  readonly objects: ZoneObjects;
  readonly forwarder: Forwarder;
}

/** Without EDNS a UDP answer has at most this many bytes; with it, never more than fits through any network. */
const PLAIN_UDP_BYTES = 512;
const MAX_UDP_BYTES = 1232;
const MAX_TCP_BYTES = 65_535;

/** Undefined: say nothing (an answer, or bytes that are no message at all). */
export async function resolve(
  query: Uint8Array,
  transport: Transport,
  resolver: Resolver,
): Promise<Uint8Array | undefined> {
  let message: Message;
  try {
    message = decodeMessage(query);
  } catch {
    return query.length < 12 || ((query[2] ?? 0) & 0x80) !== 0 ? undefined : bare(query, codes.formatError);
  }
  if (message.isResponse) return undefined;
  const [question] = message.questions;
  const limit = transport === 'tcp' ? MAX_TCP_BYTES : udpLimit(message);
  const reply = (part: Partial<Message>): Uint8Array => encodeWithin(replyTo(message, part), limit);
  if (message.opcode !== 0) return reply({ code: codes.notImplemented });
  if (question === undefined || message.questions.length !== 1) return reply({ code: codes.formatError });
  const answer = answerOf(question, resolver.objects);
  switch (answer.kind) {
    case 'records':
      return reply({
        answers: shuffled(answer.records),
        authorities: answer.records.length === 0 ? [authorityOf()] : [],
        additionals: [...(answer.extra ?? []), ...optOf(message)],
      });
    case 'no-such-name':
      return reply({ code: codes.noSuchName, authorities: [authorityOf()] });
    case 'alias':
      return reply({
        answers: [answer.record, ...(await follow(question, answer.target, transport, resolver))],
      });
    case 'elsewhere':
      return (
        (await resolver.forwarder.ask(query, transport)) ??
        reply({ authoritative: false, code: codes.serverFailure })
      );
  }
}

/** What the alias leads to, asked for as the client would; nothing when nobody knows. */
async function follow(
  question: Question,
  target: string,
  transport: Transport,
  resolver: Resolver,
): Promise<readonly ResourceRecord[]> {
  if (question.type === types.CNAME) return [];
  const inside = answerOf({ ...question, name: target }, resolver.objects);
  if (inside.kind === 'records') return inside.records;
  if (inside.kind !== 'elsewhere') return [];
  const query = encodeMessage({
    ...EMPTY,
    recursionDesired: true,
    questions: [{ ...question, name: target }],
  });
  const bytes = await resolver.forwarder.ask(query, transport);
  if (bytes === undefined) return [];
  try {
    return decodeMessage(bytes).answers;
  } catch {
    // A resolver that talks nonsense knows nothing.
    return [];
  }
}

const EMPTY: Message = {
  id: 0,
  isResponse: false,
  opcode: 0,
  authoritative: false,
  truncated: false,
  recursionDesired: false,
  recursionAvailable: false,
  code: codes.ok,
  questions: [],
  answers: [],
  authorities: [],
  additionals: [],
};

function replyTo(
  { id, opcode, recursionDesired, questions, ...query }: Message,
  part: Partial<Message>,
): Message {
  return {
    ...EMPTY,
    id,
    opcode,
    recursionDesired,
    questions,
    isResponse: true,
    authoritative: true,
    recursionAvailable: true,
    additionals: optOf(query),
    ...part,
  };
}

function optOf({ additionals }: Pick<Message, 'additionals'>): readonly ResourceRecord[] {
  const asked = additionals.some(({ type }) => type === types.OPT);
  return asked
    ? [
        {
          name: '',
          type: types.OPT,
          class: MAX_UDP_BYTES,
          ttl: 0,
          data: { kind: 'raw', bytes: new Uint8Array() },
        },
      ]
    : [];
}

function udpLimit({ additionals }: Message): number {
  const opt = additionals.find(({ type }) => type === types.OPT);
  return opt === undefined ? PLAIN_UDP_BYTES : Math.min(MAX_UDP_BYTES, Math.max(PLAIN_UDP_BYTES, opt.class));
}

/** The header alone, for a query that cannot be read. */
function bare(query: Uint8Array, code: number): Uint8Array {
  const id = ((query[0] ?? 0) << 8) | (query[1] ?? 0);
  return encodeMessage({ ...EMPTY, id, isResponse: true, code });
}

/** Clients take the first address: each shall be first now and then. */
function shuffled<T>(items: readonly T[]): readonly T[] {
  if (items.length < 2) return items;
  const start = Math.floor(Math.random() * items.length);
  return [...items.slice(start), ...items.slice(0, start)];
}
