/** nftables: a ruleset is applied as one atomic transaction. */
import { runInNetns } from './netns.ts';

/** Applies an nft script (`table ip x { … }`) atomically: all of it or nothing. */
export async function nftApply(nsPath: string | undefined, script: string): Promise<void> {
  await runInNetns(nsPath, 'nft', ['-f', '-'], { input: script });
}

/** True when nft would apply the script; changes nothing. */
export async function nftAccepts(nsPath: string | undefined, script: string): Promise<boolean> {
  const { code } = await runInNetns(nsPath, 'nft', ['--check', '-f', '-'], {
    input: script,
    okCodes: [0, 1],
  });
  return code === 0;
}

/** The rules of one table as text, or undefined when there is no such table. */
export async function nftTable(
  nsPath: string | undefined,
  family: string,
  table: string,
): Promise<string | undefined> {
  const { stdout, code } = await runInNetns(nsPath, 'nft', ['list', 'table', family, table], {
    okCodes: [0, 1],
  });
  return code === 0 ? stdout : undefined;
}

/** The rules of all tables as text, by family and name (`ip nat`). */
export async function nftTables(nsPath: string | undefined): Promise<ReadonlyMap<string, string>> {
  return tablesOf((await runInNetns(nsPath, 'nft', ['list', 'ruleset'])).stdout);
}

/** A ruleset as nft writes it, table by table: a table ends with the first brace at the beginning of a line. Pure. */
export function tablesOf(ruleset: string): ReadonlyMap<string, string> {
  const tables = ruleset.matchAll(/^table (\S+) (\S+) \{.*\n(?:[^}\n].*\n|\n)*\}\n/gm);
  return new Map([...tables].map(([text, family, name]) => [`${family} ${name}`, text]));
}
