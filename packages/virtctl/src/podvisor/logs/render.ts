/** A line for people, or for programs. Pure. */
import pc from 'picocolors';
import { plainText } from '../../output/plain-text.ts';
import type { Level, LogRecord } from './record.ts';

const PAINT: Readonly<Record<Level, (text: string) => string>> = {
  trace: pc.dim,
  debug: pc.dim,
  info: (text) => text,
  warn: pc.yellow,
  error: pc.red,
  fatal: pc.red,
};

/** Time, level, component, sentence, fields. Control characters of others never reach a terminal. */
export function humanLine({ atMs, level, component, message, fields }: LogRecord): string {
  const rest = Object.entries(fields).map(([key, value]) => `${key}=${shown(value)}`);
  const words = `${PAINT[level](level.toUpperCase().padEnd(5))} ${component.padEnd(20)} ${plainText(message)}`;
  return [new Date(atMs).toISOString(), words, ...(rest.length === 0 ? [] : [pc.dim(rest.join(' '))])].join(
    ' ',
  );
}

/** RFC 3339 time, level by name. */
export function jsonLine({ atMs, level, component, message, fields }: LogRecord): string {
  return JSON.stringify({ time: new Date(atMs).toISOString(), level, component, ...fields, msg: message });
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? plainText(value) : JSON.stringify(value);
  return typeof value === 'string' && /[\s"=]/.test(text) ? JSON.stringify(text) : (text ?? '');
}
