/** JSON in which an object that is given twice is filled twice, as Go fills a struct; scalars and lists: the last wins. */
import { memberOf, setMember } from '@podvisor/base';
import { isObject, type Json, type JsonObject, parseJson } from './json.ts';

const TOKEN = /\s*([{}[\],:]|"(?:[^"\\]|\\.)*"|[^\s{}[\],:"]+)/gy;

/** Reads a text that is known to be JSON. */
export function parseMerging(text: string): Json {
  const tokens = [...text.matchAll(TOKEN)].map((match) => match[1] ?? '');
  let at = 0;
  const value = (): Json => {
    const token = tokens[at++] ?? 'null';
    if (token === '[') {
      const list: Json[] = [];
      while (tokens[at] !== ']' && at < tokens.length) {
        if (tokens[at] === ',') at += 1;
        else list.push(value());
      }
      at += 1;
      return list;
    }
    if (token !== '{') return parseJson(token);
    const object: JsonObject = {};
    while (tokens[at] !== '}' && at < tokens.length) {
      if (tokens[at] === ',') {
        at += 1;
        continue;
      }
      const key = String(parseJson(tokens[at] ?? '""'));
      at += 2;
      const given = value();
      setMember(object, key, merged(memberOf(object, key), given));
    }
    at += 1;
    return object;
  };
  return value();
}

function merged(before: Json | undefined, given: Json): Json {
  if (!isObject(before) || !isObject(given)) return given;
  const out: JsonObject = { ...before };
  for (const [key, item] of Object.entries(given))
    if (item !== undefined) setMember(out, key, merged(memberOf(out, key), item));
  return out;
}
