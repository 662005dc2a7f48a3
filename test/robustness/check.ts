/**
 * Compares a history with the model of the store: one sequence of writes, each with its own revision, that
 * every list and every watch shows a piece of. Returns what is wrong, in sentences; nothing when all is well.
 */
import type { History, ListRead, Seen, WatchEvent, WatchRun, Write } from './history.ts';

/** Enough to understand what happened; the rest is usually the same again. */
const MAX_PROBLEMS = 20;

export function check(history: History): readonly string[] {
  const timeline = new Timeline(history);
  return [
    ...timeline.problems,
    ...history.writes.flatMap((write) => checkWrite(write, timeline)),
    ...checkOrder(history.writes),
    ...checkOrigins(history.writes, timeline),
    ...history.lists.flatMap((list) => checkList(list, timeline, history.writes)),
    ...history.watches.flatMap((watch) => [
      ...checkList(watch.start, timeline, history.writes),
      ...checkWatch(watch, timeline),
    ]),
  ].slice(0, MAX_PROBLEMS);
}

/** An event with the one before it on the same object. */
interface Step extends WatchEvent {
  readonly before: WatchEvent | undefined;
}

/** All events that anybody saw, in order of revision. */
class Timeline {
  readonly steps: readonly Step[];
  readonly problems: readonly string[];
  readonly #byRevision: ReadonlyMap<number, Step>;
  readonly #byValue: ReadonlyMap<string, Step>;
  /** Deletions by key and the revision that they ended. */
  readonly #deletions: ReadonlySet<string>;

  constructor({ watches }: History) {
    const problems: string[] = [];
    const events = new Map<number, WatchEvent>();
    for (const event of watches.flatMap((watch) => watch.events)) {
      const known = events.get(event.revision);
      if (known === undefined) events.set(event.revision, event);
      else if (!isSame(known, event))
        problems.push(
          `revision ${event.revision} is ${tell(known)} to one watcher, ${tell(event)} to another`,
        );
    }
    const last = new Map<string, WatchEvent>();
    this.steps = [...events.values()]
      .toSorted((a, b) => a.revision - b.revision)
      .map((event) => {
        const before = last.get(event.key);
        last.set(event.key, event);
        return { ...event, before };
      });
    this.#byRevision = new Map(this.steps.map((step) => [step.revision, step]));
    this.#byValue = new Map(
      this.steps.filter(({ type }) => type !== 'DELETED').map((step) => [step.value, step]),
    );
    this.#deletions = new Set(
      this.steps
        .filter(({ type }) => type === 'DELETED')
        .map(({ key, before }) => `${key}@${before?.revision}`),
    );
    this.problems = problems;
  }

  /** The step that gave an object this value. */
  withValue(value: string): Step | undefined {
    return this.#byValue.get(value);
  }

  hasDeletion(key: string, of: number | undefined): boolean {
    return this.#deletions.has(`${key}@${of}`);
  }

  at(revision: number): Step | undefined {
    return this.#byRevision.get(revision);
  }

  /** The objects right after `revision`, by key. */
  stateAt(revision: number): Map<string, Seen> {
    const state = new Map<string, Seen>();
    for (const step of this.steps) {
      if (step.revision > revision) break;
      if (step.type === 'DELETED') state.delete(step.key);
      else state.set(step.key, step);
    }
    return state;
  }

  between(after: number, upTo: number): readonly Step[] {
    return this.steps.filter(({ revision }) => revision > after && revision <= upTo);
  }
}

/** What was acknowledged is in the timeline, what was refused is not, and conditions were met. */
function checkWrite(write: Write, timeline: Timeline): readonly string[] {
  const { outcome, key, value, verb, expects } = write;
  if (verb === 'delete') {
    const isLost = outcome.kind === 'done' && !timeline.hasDeletion(key, expects);
    return isLost
      ? [`the deletion of ${key} at revision ${expects} was acknowledged and never happened`]
      : [];
  }
  const step = timeline.withValue(value);
  if (outcome.kind === 'done') {
    if (step === undefined) return [`${verb} of ${key} (${value}) was acknowledged and is lost`];
    if (step.revision !== outcome.revision)
      return [`${verb} of ${key} (${value}) was acknowledged as ${outcome.revision} and is ${step.revision}`];
  }
  if (outcome.kind === 'refused' && step !== undefined)
    return [`${verb} of ${key} (${value}) was refused with ${outcome.code} and happened as ${step.revision}`];
  if (step === undefined) return [];
  const before = step.before?.type === 'DELETED' ? undefined : step.before;
  if (verb === 'create' && before !== undefined)
    return [`${key} was created at ${step.revision} although it existed since ${before.revision}`];
  if (verb === 'update' && before?.revision !== expects)
    return [`${key} was updated at ${step.revision} from ${before?.revision}, not from ${expects} as asked`];
  return [];
}

/** A write that began after another was acknowledged has a higher revision. */
function checkOrder(writes: readonly Write[]): readonly string[] {
  const done = writes.flatMap((write) =>
    write.outcome.kind === 'done' && write.outcome.revision !== undefined
      ? [{ ...write, revision: write.outcome.revision }]
      : [],
  );
  const byStart = done.toSorted((a, b) => a.startedAt - b.startedAt);
  const byEnd = done.toSorted((a, b) => a.endedAt - b.endedAt);
  const problems: string[] = [];
  let highest = 0;
  let next = 0;
  for (const write of byStart) {
    for (
      let earlier = byEnd[next];
      earlier !== undefined && earlier.endedAt < write.startedAt;
      earlier = byEnd[next]
    ) {
      highest = Math.max(highest, earlier.revision);
      next += 1;
    }
    if (write.revision < highest)
      problems.push(`${write.value} got revision ${write.revision} after ${highest} was acknowledged`);
  }
  return problems;
}

/** Nothing happened that nobody asked for, and nothing twice. */
function checkOrigins(writes: readonly Write[], timeline: Timeline): readonly string[] {
  const asked = new Set(writes.map(({ value }) => value));
  const happened = new Set<string>();
  return timeline.steps.flatMap((step) => {
    if (step.type === 'DELETED') return [];
    if (!asked.has(step.value)) return [`${tell(step)} was asked for by nobody`];
    if (happened.has(step.value)) return [`${tell(step)} happened twice`];
    happened.add(step.value);
    return [];
  });
}

/** A list shows the state at its revision, and that is no older than what was acknowledged before. */
function checkList(list: ListRead, timeline: Timeline, writes: readonly Write[]): readonly string[] {
  const state = timeline.stateAt(list.revision);
  const problems: string[] = [];
  for (const item of list.items) {
    const expected = state.get(item.key);
    state.delete(item.key);
    // What was there before anybody watched is not in the timeline.
    if (expected === undefined && timeline.at(item.revision) === undefined) continue;
    if (expected?.revision !== item.revision || expected.value !== item.value)
      problems.push(`the list at ${list.revision} shows ${tell(item)} instead of ${tell(expected)}`);
  }
  for (const missing of state.values()) problems.push(`the list at ${list.revision} lacks ${tell(missing)}`);
  const acknowledged = writes.reduce(
    (highest, { endedAt, outcome }) =>
      endedAt < list.startedAt && outcome.kind === 'done'
        ? Math.max(highest, outcome.revision ?? 0)
        : highest,
    0,
  );
  if (list.revision < acknowledged)
    problems.push(`a list shows revision ${list.revision} after ${acknowledged} was acknowledged`);
  return problems;
}

/** A watch tells every event after its list, in order, each once, with the right type. */
function checkWatch({ watcher, start, events, upTo }: WatchRun, timeline: Timeline): readonly string[] {
  const who = `watcher ${watcher}`;
  const problems: string[] = [];
  let last = start.revision;
  for (const event of events) {
    if (event.revision <= last) problems.push(`${who} heard of ${event.revision} after ${last}`);
    last = Math.max(last, event.revision);
    const before = timeline.at(event.revision)?.before;
    const existed = before !== undefined && before.type !== 'DELETED';
    if (event.type === 'ADDED' && existed) problems.push(`${who} heard that ${tell(event)}, which existed`);
    if (event.type === 'MODIFIED' && before?.type === 'DELETED')
      problems.push(`${who} heard that ${tell(event)}, which was gone`);
  }
  const heard = new Set(events.map(({ revision }) => revision));
  for (const step of timeline.between(start.revision, upTo))
    if (!heard.has(step.revision)) problems.push(`${who} never heard that ${tell(step)}`);
  return problems;
}

function isSame(a: WatchEvent, b: WatchEvent): boolean {
  return a.type === b.type && a.key === b.key && a.value === b.value;
}

function tell(seen: (Seen & { readonly type?: string }) | undefined): string {
  return seen === undefined
    ? 'nothing'
    : `${seen.key} was ${seen.type ?? 'there'} at ${seen.revision} (${seen.value})`;
}
