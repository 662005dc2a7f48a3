/** The session with the page's server: opening one, ending it, and hearing that it has ended. No secret stays here. */
import { refusalOf } from './refusal.ts';

export interface Session {
  /** Where to look first when the user may not look everywhere. */
  readonly namespace: string;
  /** As the API server knows the user; absent: whoever started the program. */
  readonly user?: string;
  readonly opensWith: 'key' | 'token';
}

export interface NoSession {
  /** What would open one. */
  readonly opensWith: 'key' | 'token';
  readonly problem: string;
}

/** `secret`: the key of the address, or a token; empty: the session that this browser has already. */
export async function openSession(secret: string): Promise<Session | NoSession> {
  const response = await fetch('/session', { method: 'POST', body: secret });
  const text = await response.text();
  if (response.ok) {
    sessions += 1;
    hear(undefined);
    return JSON.parse(text) as Session;
  }
  const { message, kind } = refusalOf(response.status, text);
  return { opensWith: kind === 'token' ? 'token' : 'key', problem: message };
}

export async function endSession(): Promise<void> {
  await fetch('/session', { method: 'DELETE' });
  location.reload();
}

/** How many were opened since the page was loaded. */
let sessions = 0;
let ended: string | undefined;
const listeners = new Set<(words: string | undefined) => void>();

function hear(words: string | undefined): void {
  if (ended === words) return;
  ended = words;
  for (const listener of listeners) listener(words);
}

/** Taken when a question is asked: what is answered to the session before says nothing about the one that is. */
export function sessionMark(): number {
  return sessions;
}

/** Every answer passes here: 401 means that nobody knows the user any more. */
export function heardCode(code: number, words: string, mark: number): void {
  if (code === 401 && mark === sessions) hear(words);
}

/** Why the user is not known any more; undefined: he is. Calls `listener` at once, and with every change. */
export function onSessionEnd(listener: (words: string | undefined) => void): () => void {
  listeners.add(listener);
  listener(ended);
  return () => listeners.delete(listener);
}
