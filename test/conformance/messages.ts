/**
 * Messages are compared by what they are about, not by their wording: the fields that they name, and the values
 * that they put in quotes.
 */
import { setDifferences } from './differences.ts';

/** One line for each field or quoted value that only one of the two messages has. */
export function messageDifferences(expected: string, actual: string): readonly string[] {
  if (expected !== '' && actual === '') return [`message: expected "${expected}", but there was none`];
  const lines = [
    ...setDifferences('message names', fieldsIn(expected), fieldsIn(actual)),
    ...setDifferences('message quotes', quotedIn(expected), quotedIn(actual)),
  ];
  return lines.length === 0 ? [] : [...lines, `message: expected "${expected}", got "${actual}"`];
}

/** `spec.domain.cpu`, `spec.volumes[0].hostDisk`: words with dots and indices between them. */
function fieldsIn(message: string): readonly string[] {
  const unquoted = message.replaceAll(QUOTED, ' ');
  return (unquoted.match(/\b(?:spec|status|metadata)(?:\[\d+\])?(?:\.\w[\w-]*(?:\[[^\]]*\])?)+/g) ?? []).map(
    (path) => path.toLowerCase(),
  );
}

/** Text in double quotes, single quotes or back ticks. An apostrophe inside a word opens nothing. */
const QUOTED = /"([^"]*)"|`([^`]*)`|(?<!\w)'([^']*)'(?!\w)/g;

function quotedIn(message: string): readonly string[] {
  return [...message.matchAll(QUOTED)].map(([, double, tick, single]) => double ?? tick ?? single ?? '');
}
