/**
 * What QEMU must be asked now. Each question wakes two of its threads up, one after the other, and is most of what a read
 * of numbers takes where processors are busy; so nothing is asked whose answer is known. Pure.
 *
 * - The size of the balloon is asked once: QEMU tells every monitor when it changes (BALLOON_CHANGE).
 * - What the guest's balloon driver says is asked each time while there is a driver that says something. While there is
 *   none, it is asked more and more seldom, down to once a minute: its numbers come that much later, and are never old.
 */
import { isRecord } from '@podvisor/base';
import { type Fields } from '../launcher-client/parse-values.ts';
import { balloonNumbers, guestNumbers } from './monitor-numbers.ts';

export const QUESTIONS = {
  disks: { execute: 'query-blockstats' },
  balloon: { execute: 'query-balloon' },
  // libvirt's name for the one balloon of a domain. What the guest's driver told last; no question to the guest.
  guest: {
    execute: 'qom-get',
    arguments: { path: '/machine/peripheral/balloon0', property: 'guest-stats' },
  },
} as const;

export type Question = keyof typeof QUESTIONS;

/** Should QEMU have told a change while nobody was connected. */
const BALLOON_AGAIN_MS = 300_000;
const SILENT_DRIVER_MS = 60_000;

/**
 * What is kept of what one QEMU has said on one connection: a handful of numbers, never its words, which may be
 * megabytes if it is lost to its guest.
 */
export interface MonitorMemory {
  /** Of the balloon and of what its driver says, by libvirt's names. */
  readonly balloon: Readonly<Record<string, number>>;
  readonly guest: Readonly<Record<string, number>>;
  /** The driver in the guest tells numbers. */
  readonly hasDriverSpoken: boolean;
  /** When each was asked last. */
  readonly askedMs: Readonly<Partial<Record<Question, number>>>;
  /** When anything was asked first. */
  readonly beganMs: number | undefined;
}

export const NOTHING_SAID: MonitorMemory = {
  balloon: {},
  guest: {},
  hasDriverSpoken: false,
  askedMs: {},
  beganMs: undefined,
};

/** `nowMs`: on a clock that never jumps. */
export function questionsNow(memory: MonitorMemory, nowMs: number): readonly Question[] {
  const { hasDriverSpoken, askedMs, beganMs = nowMs } = memory;
  const isDue = (question: Question, afterMs: number): boolean =>
    nowMs - (askedMs[question] ?? -Infinity) >= afterMs;
  // A driver comes with the start of its guest, or soon after it has moved here.
  const patienceMs = Math.min((askedMs.guest ?? beganMs) - beganMs, SILENT_DRIVER_MS);
  return [
    'disks',
    ...(isDue('balloon', BALLOON_AGAIN_MS) ? (['balloon'] as const) : []),
    ...(isDue('guest', hasDriverSpoken ? 0 : patienceMs) ? (['guest'] as const) : []),
  ];
}

/** `said`: answers in the order of the questions; undefined for one that QEMU refused. */
export function withAnswers(
  memory: MonitorMemory,
  questions: readonly Question[],
  said: readonly unknown[],
  nowMs: number,
): MonitorMemory {
  const answer = (question: Question): unknown => said[questions.indexOf(question)];
  return {
    ...memory,
    ...(questions.includes('balloon') ? { balloon: balloonNumbers(answer('balloon')) } : {}),
    ...(questions.includes('guest')
      ? { guest: guestNumbers(answer('guest')), hasDriverSpoken: hasSpoken(answer('guest')) }
      : {}),
    askedMs: { ...memory.askedMs, ...Object.fromEntries(questions.map((question) => [question, nowMs])) },
    beganMs: memory.beganMs ?? nowMs,
  };
}

/** What QEMU tells by itself. */
export function withEvent(memory: MonitorMemory, { event, data }: Fields): MonitorMemory {
  return event === 'BALLOON_CHANGE' ? { ...memory, balloon: balloonNumbers(data) } : memory;
}

function hasSpoken(guest: unknown): boolean {
  const updated = isRecord(guest) ? guest['last-update'] : undefined;
  return typeof updated === 'number' && updated > 0;
}
