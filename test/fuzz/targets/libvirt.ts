/** What comes from libvirtd beside a guest: messages, their XDR bodies, and XML. */
import { decodeEvent } from '../../../packages/libvirt/src/events.ts';
import { readError } from '../../../packages/libvirt/src/libvirt-error.ts';
import { EVENT } from '../../../packages/libvirt/src/protocol/procedures.ts';
import { readDomain, writeDomain } from '../../../packages/libvirt/src/protocol/domain-ref.ts';
import { readParam, writeParam } from '../../../packages/libvirt/src/protocol/typed-param.ts';
import { encodeMessage, MessageDecoder } from '../../../packages/libvirt/src/rpc/message.ts';
import { XdrError } from '../../../packages/libvirt/src/xdr/xdr-error.ts';
import { XdrReader } from '../../../packages/libvirt/src/xdr/reader.ts';
import { XdrWriter } from '../../../packages/libvirt/src/xdr/writer.ts';
import { domainFromXml, domainToXml } from '../../../packages/translate/src/domain/xml.ts';
import { XmlCharacterError } from '../../../packages/translate/src/xml/write.ts';
import { parseXml, XmlParseError } from '../../../packages/translate/src/xml/parse.ts';
import { bytes, expect, type FuzzTarget, text } from '../frame/target.ts';

const domain = { name: 'default_a', uuid: '7b1c1e4e-0000-4000-8000-000000000001', id: 1 };
const written = (write: (out: XdrWriter) => void): Buffer => {
  const out = new XdrWriter();
  write(out);
  return Buffer.from(out.bytes());
};
const messages = Object.values(EVENT).map(({ message }) => message as number);
const event = (procedure: number, write: (out: XdrWriter) => void): Buffer =>
  encodeMessage(
    { program: 0x20008086, version: 1, procedure, type: 2, serial: 0, status: 0 },
    written((out) => {
      out.int(1);
      writeDomain(out, domain);
      write(out);
    }),
  );

export const rpc: FuzzTarget = {
  seeds: messages.map((message) =>
    event(message, (out) => {
      out.string('/path').string('alias').int(1).string('reason').int(2);
    }),
  ),
  words: [
    written((out) => writeDomain(out, domain)),
    written((out) => writeParam(out, { field: 'f', type: 'ullong', value: 1n })),
    written((out) => writeParam(out, { field: '__proto__', type: 'string', value: 'x' })),
    Uint8Array.of(0xff, 0xff, 0xff, 0xff),
    Uint8Array.of(0, 0, 0, 28),
  ],
  refuses: (error) => error instanceof XdrError,
  feed: (input) => {
    const half = input.length >>> 1;
    const decoder = new MessageDecoder();
    for (const chunk of [input.subarray(0, half), input.subarray(half)])
      for (const { payload } of decoder.push(Buffer.from(chunk)))
        for (const read of readers)
          try {
            read(new XdrReader(payload));
          } catch (error) {
            if (!(error instanceof XdrError)) throw error;
          }
  },
};

const readers: readonly ((input: XdrReader) => unknown)[] = [
  ...messages.map((message) => (input: XdrReader) => decodeEvent(message, input)),
  readError,
  readDomain,
  (input) => input.list(1024, () => readParam(input)),
  (input) => input.optionalString(),
];

export const xml: FuzzTarget = {
  seeds: [
    '<domain type="kvm"><name>a</name><memory unit="KiB">1024</memory><devices><disk type="file" device="disk"><source file="/a"/><target dev="vda" bus="virtio"/></disk></devices></domain>',
    '<?xml version="1.0"?><domain><name>a&amp;b</name><!-- c --><metadata><x:y xmlns:x="u">1</x:y></metadata></domain>',
  ].map(bytes),
  words: [
    '<!DOCTYPE a [<!ENTITY b "c">]>',
    '&b;',
    '&#x0;',
    '&#1114112;',
    '<![CDATA[',
    ']]>',
    '<!--',
    '-->',
    '</',
    '/>',
    '<domain>',
    '<__proto__>',
    '</__proto__>',
    'constructor="x" ',
    '<?',
    '?>',
    '=""',
    '<devices>',
    '<disk>',
  ],
  refuses: (error) => error instanceof XmlParseError || error instanceof XmlCharacterError,
  feed: (input) => {
    const document = text(input);
    const root = parseXml(document);
    expect(typeof root.name === 'string', 'an element has a name');
    domainToXml(domainFromXml(document));
  },
};
