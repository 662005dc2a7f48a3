/** Rows in columns, as kubectl prints them. */
import { plainText } from './plain-text.ts';

/** The header in capitals, columns three spaces apart, nothing after the last. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [header.map((title) => title.toUpperCase()), ...rows.map((row) => row.map(plainText))];
  const widths = header.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('   ')
        .trimEnd(),
    )
    .join('\n');
}

/** `42s`, `5m`, `3h12m`, `4d`: an age as kubectl shows it. */
export function ageText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10 && seconds % 60 !== 0) return `${minutes}m${seconds % 60}s`;
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 8 && minutes % 60 !== 0) return `${hours}h${minutes % 60}m`;
  return hours < 48 ? `${hours}h` : `${Math.floor(hours / 24)}d`;
}
