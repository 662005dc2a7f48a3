/** What somebody who wrote `192MB` or `192 MiB` meant: `: write 192M or 192Mi`; empty where nothing is near. Pure. */
export function quantityMeant(text: string): string {
  const parts = /^\s*(\d+(?:\.\d+)?)\s*([kmgtpe])i?b?\s*$/i.exec(text);
  if (parts === null) return '';
  const [, number, unit = ''] = parts;
  const decimal = unit.toLowerCase() === 'k' ? 'k' : unit.toUpperCase();
  return `: write ${number}${decimal} or ${number}${unit.toUpperCase()}i`;
}
