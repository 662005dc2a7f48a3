/**
 * An error in words for people, whoever threw it: codes of the system (`ENOENT: no such file or directory, open 'x'`)
 * and log records of our own programs are said in sentences; a cause that says nothing new is left out. Pure.
 */
import { messageOf, StatusError } from '@podvisor/base';
import { plainLines } from './plain-text.ts';

/** The lines of an error: what happened, and, where it says more, what caused it. */
export function toldError(error: unknown): readonly string[] {
  const told = plainLines(inWords(messageOf(error)));
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause === undefined || cause instanceof StatusError) return [told];
  const because = plainLines(inWords(messageOf(cause)));
  return told.includes(because) ? [told] : [told, `  because: ${because}`];
}

/** The text with every code of the system in words. */
export function inWords(text: string): string {
  return withoutRecord(text)
    .replaceAll(FILE_ERROR, (raw, code: string, _call: string, path = '') => FILE_WORDS[code]?.(path) ?? raw)
    .replaceAll(PROGRAM_ERROR, (_raw, program: string) => `${program} is not installed`)
    .replaceAll(NETWORK_ERROR, (raw, code: string, where = '') => NETWORK_WORDS[code]?.(where.trim()) ?? raw);
}

/** `ENOENT: no such file or directory, open 'x'`, as Node words errors of files. */
const FILE_ERROR = /\b(E[A-Z]+): [a-z][a-z -]*, ([a-z]+)(?: '([^']*)')?(?: -> '[^']*')?/g;
/** `spawn skopeo ENOENT`. */
const PROGRAM_ERROR = /\bspawn (\S+) ENOENT\b/g;
/** `listen EADDRINUSE: address already in use 127.0.0.1:80`, `connect ECONNREFUSED 127.0.0.1:80`, `write EPIPE`. */
const NETWORK_ERROR =
  /\b(?:listen|bind|connect|read|write|send|getaddrinfo) (E[A-Z_]+)(?:: [a-z]+(?: [a-z]+)*(?= |$))?( [^\s,;()]+)?(?: - Local \([^)]*\))?/g;

type Words = Readonly<Record<string, (what: string) => string>>;

const the = (path: string): string => (path === '' ? 'it' : path);

const FILE_WORDS: Words = {
  ENOENT: (path) => `there is no ${path === '' ? 'such file' : `file or directory ${path}`}`,
  EACCES: (path) => `this user may not open ${the(path)}: run it with sudo, or as the owner`,
  EPERM: (path) => `this user may not change ${the(path)}: run it with sudo, or as the owner`,
  EISDIR: (path) => `${the(path)} is a directory, and a file is needed`,
  ENOTDIR: (path) => `a part of ${path === '' ? 'the path' : path} is a file, and a directory is needed`,
  EEXIST: (path) => `${the(path)} exists already`,
  ENOSPC: (path) => `the disk is full${path === '' ? '' : ` where ${path} is`}: df -h shows it`,
  EDQUOT: (path) => `the quota of this user is used up${path === '' ? '' : ` where ${path} is`}`,
  EROFS: (path) => `${the(path)} is on a file system that can only be read`,
  EMFILE: () => 'this process has too many files open: ulimit -n is the limit',
  ENFILE: () => 'this machine has too many files open: sysctl fs.file-max is the limit',
};

const lost = (where: string): string => `the connection${where === '' ? '' : ` to ${where}`} was closed`;
const noWay = (where: string): string => `there is no way to ${where === '' ? 'that address' : where}`;

const NETWORK_WORDS: Words = {
  EADDRINUSE: (where) => `${where} is in use by another program: ss -ltnp shows which`,
  EADDRNOTAVAIL: (where) => `${where} is no address of this machine`,
  EACCES: (where) => `this user may not listen on ${where}: ports below 1024 need root`,
  ECONNREFUSED: (where) => `nobody listens at ${where}`,
  ECONNRESET: lost,
  EPIPE: lost,
  ETIMEDOUT: (where) => `${where === '' ? 'the other side' : where} does not answer`,
  EHOSTUNREACH: noWay,
  ENETUNREACH: noWay,
  ENOTFOUND: (name) => `the name ${name} cannot be resolved`,
  EAI_AGAIN: (name) => `the name ${name} cannot be resolved: no name server answers`,
};

/** A program of ours that ends badly leaves a log record; of that, people want the sentence. */
function withoutRecord(text: string): string {
  const record = /\{"level":\d+.*\}/.exec(text)?.[0];
  if (record === undefined) return text;
  try {
    const { err, msg } = JSON.parse(record) as { err?: { message?: string }; msg?: string };
    return err?.message ?? msg ?? text;
  } catch {
    return text;
  }
}
