/** What dpkg-deb says of packages: which they are, and which files they bring. Pure. */

export interface DebianPackage {
  readonly name: string;
  readonly version: string;
  readonly architecture: string;
  /** Source package, with its version where that differs. */
  readonly source: string;
  readonly homepage?: string;
}

/** For `dpkg-deb --show`; one line a package. */
export const SHOW_FORMAT = '${Package}\t${Version}\t${Architecture}\t${Source}\t${Homepage}\n';

export function parseShown(text: string): readonly DebianPackage[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [name = '', version = '', architecture = '', source = '', homepage = ''] = line.split('\t');
      return {
        name,
        version,
        architecture,
        source: source === '' ? name : source,
        ...(homepage === '' ? {} : { homepage }),
      };
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Paths of files and links in the output of `dpkg-deb --contents`, as they are below /usr. */
export function parseContents(text: string): readonly string[] {
  return text.split('\n').flatMap((line) => {
    const found = /^([-lhbcp])\S+ +\S+ +\S+ +\S+ +\S+ \.\/(.*)$/.exec(line);
    if (found === null) return [];
    const [, kind = '', rest = ''] = found;
    const path = kind === 'l' ? (rest.split(' -> ')[0] ?? rest) : (rest.split(' link to ')[0] ?? rest);
    return [mergedPath(path)];
  });
}

/** Directories that are links to those of the same name in /usr. */
export const MERGED_DIRECTORIES = ['bin', 'sbin', 'lib', 'lib64'];

function mergedPath(path: string): string {
  return MERGED_DIRECTORIES.some((directory) => path.startsWith(`${directory}/`)) ? `usr/${path}` : path;
}
