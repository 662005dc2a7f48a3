/** What a launcher, or another node, tells virt-handler as JSON: the disks of a domain, and the past of a guest. */
import { XmlParseError } from '../../../packages/translate/src/xml/parse.ts';
import { parseHistory } from '../../../packages/virt-handler/src/usage/usage-points.ts';
import { diskPictures } from '../../../packages/virt-handler/src/volumes/disk-path.ts';
import { bytes, expect, type FuzzTarget, text } from '../frame/target.ts';
import { jsonText } from './json-grammar.ts';

/** One input is three answers, cut at its record separators: domain, numbers, file systems. */
const SEPARATOR = '\x1e';
const disk = "<disk><target dev='vda'/><serial>S</serial></disk>";

export const disks: FuzzTarget = {
  seeds: [
    [
      JSON.stringify({ xml: `<domain><devices>${disk}</devices></domain>` }),
      '{"block.count":1,"block.0.name":"vda","block.0.rd.reqs":3}',
      '{"items":[{"mountPoint":"/","disk":[{"serial":"S"}]}]}',
    ].join(SEPARATOR),
  ].map(bytes),
  words: [
    SEPARATOR,
    disk,
    '{"serial":"S"},',
    '{"mountPoint":"/","disk":[{"serial":"S"}]},',
    '"block.1.name":"vda",',
    'null,',
    '"__proto__":',
  ],
  longBytes: 256 * 1024,
  generate: (random) =>
    bytes(
      [
        JSON.stringify({ xml: `<domain><devices>${disk.repeat(random.below(20))}</devices></domain>` }),
        jsonText(random),
        `{"items":[${jsonText(random)},{"mountPoint":"/","disk":${jsonText(random)}}]}`,
      ].join(SEPARATOR),
    ),
  refuses: (error) =>
    error instanceof SyntaxError ||
    error instanceof XmlParseError ||
    (error instanceof Error && /tells no domain$/.test(error.message)),
  feed: (input) => {
    const [xml = '', stats = '{}', filesystems = ''] = text(input).split(SEPARATOR);
    const pictures = diskPictures({ xml, stats, filesystems });
    expect(pictures.length <= 512, 'a domain has so many disks at most');
    for (const { reads, writes, mountedAt = [] } of pictures)
      expect(
        Number.isFinite(reads) && Number.isFinite(writes) && mountedAt.length <= 512,
        'requests are numbers, and a disk is mounted so often at most',
      );
  },
};

const NOW_MS = 1_800_000_000_000;

export const usage: FuzzTarget = {
  seeds: [
    `{"nowMs":${NOW_MS},"points":[{"atMs":${NOW_MS - 60_000},"cpuNs":1,"diskReadBytes":2,"diskWrittenBytes":3,"receivedBytes":4,"sentBytes":5,"memoryBytes":6}]}`,
  ].map(bytes),
  words: ['"atMs":', '"points":[', '"nowMs":0,', '{},', 'null,', '1e308', '-1', '"__proto__":'],
  generate: (random) => bytes(`{"nowMs":${random.below(2 ** 31)},"points":[${jsonText(random)}]}`),
  refuses: (error) => error instanceof SyntaxError,
  feed: (input) => {
    const points = parseHistory(JSON.parse(text(input)), NOW_MS);
    expect(points.length <= 120, 'an hour has so many points at most');
    let before = -Infinity;
    for (const { atMs, ...numbers } of points) {
      expect(atMs > before && atMs <= NOW_MS && atMs > NOW_MS - 3_600_000, 'points are in order, of an hour');
      expect(
        Object.values(numbers).every((value) => Number.isFinite(value) && value >= 0),
        'points are counts',
      );
      before = atMs;
    }
  },
};
