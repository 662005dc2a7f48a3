/** The guest's screen. */
import RFB from '@novnc/novnc';
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { GUEST_PROTOCOL, guestSocket } from '../live/guest-socket.ts';
import { type LayoutName, LAYOUTS, type Stroke, strokesOf } from '../model/keyboard.ts';
import { Command, Problem } from './parts.tsx';
import { useWayOut } from './way-out.ts';
import { guestText } from '../texts/guest.ts';

const AGAIN_MS = 1_000;

export default function Screen({ namespace, name }: { namespace: string; name: string }): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  useWayOut(place);
  const screen = useRef<RFB>(null);
  const [state, setState] = useState(guestText.connecting);
  const [copied, setCopied] = useState('');
  const [isScaled, setScaled] = useState(true);
  /** As the next connection begins. */
  const scaled = useRef(true);
  const scale = (wanted: boolean): void => {
    setScaled(wanted);
    scaled.current = wanted;
    if (screen.current === null) return;
    screen.current.scaleViewport = wanted;
    screen.current.clipViewport = !wanted;
  };
  useEffect(() => {
    let isOver = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const connect = (): void => {
      if (place.current === null) return;
      const rfb = new RFB(place.current, guestSocket(namespace, name, 'vnc'), {
        wsProtocols: [GUEST_PROTOCOL],
      });
      rfb.scaleViewport = scaled.current;
      rfb.clipViewport = !scaled.current;
      rfb.addEventListener('connect', () => setState(guestText.connected));
      rfb.addEventListener('clipboard', (event) => setCopied(cutText(event)));
      rfb.addEventListener('disconnect', () => {
        if (isOver) return;
        setState(guestText.screenLost);
        timer = setTimeout(connect, AGAIN_MS);
      });
      screen.current = rfb;
    };
    connect();
    return () => {
      isOver = true;
      clearTimeout(timer);
      screen.current?.disconnect();
    };
  }, [namespace, name]);
  return (
    <>
      <div class="bar">
        <button type="button" onClick={() => screen.current?.sendCtrlAltDel()}>
          {guestText.ctrlAltDel}
        </button>
        <button type="button" onClick={() => savePicture(place.current, name)}>
          {guestText.savePicture}
        </button>
        <label>
          <input type="checkbox" checked={isScaled} onChange={() => scale(!isScaled)} /> {guestText.fit}
        </label>
        <TypeForm screen={screen} />
        {copied === '' ? null : <FromGuest text={copied} onDone={() => setCopied('')} />}
        <span class="faint" role="status">
          {state} {guestText.wayOut} {guestText.inTerminal} <Command text={`virtctl vnc ${name} -n ${namespace}`} />
        </span>
      </div>
      <div class="screen" ref={place} />
    </>
  );
}

/** A guest's text is anybody's: it is shown, and goes into the clipboard only when the user says so. */
const MAX_CUT_TEXT = 100_000;

function cutText(event: Event): string {
  const { text } = (event as CustomEvent<{ readonly text?: unknown }>).detail;
  return typeof text === 'string' ? text.slice(0, MAX_CUT_TEXT) : '';
}

function FromGuest({ text, onDone }: { text: string; onDone: () => void }): JSX.Element {
  const copy = (): void => void navigator.clipboard.writeText(text).then(onDone, () => undefined);
  return (
    <span class="bar tight">
      <label>
        {guestText.copied} <input readOnly value={text} onFocus={(event) => event.currentTarget.select()} />
      </label>
      <button type="button" onClick={copy}>
        {guestText.copyHere}
      </button>
    </span>
  );
}

/** Text for the guest, key by key: works in every guest, before it has booted too, and needs no clipboard of its. */
function TypeForm({ screen }: { screen: { readonly current: RFB | null } }): JSX.Element {
  const [text, setText] = useState('');
  const [layout, setLayout] = useState<LayoutName>('us');
  const [missing, setMissing] = useState<readonly string[]>([]);
  /** One text after the other, never letter by letter. */
  const typing = useRef(Promise.resolve());
  const type = (): void => {
    const rfb = screen.current;
    if (rfb === null) return;
    const typed = strokesOf(text, layout);
    setMissing(typed.missing);
    // Half a text may be worse than none.
    if (typed.missing.length > 0) return;
    // A guest that has a clipboard of its own gets it there as well.
    rfb.clipboardPasteFrom(text);
    typing.current = typing.current.then(() => typeStrokes(rfb, typed.strokes));
    setText('');
  };
  return (
    <form
      class="bar tight"
      onSubmit={(event) => {
        event.preventDefault();
        type();
      }}
    >
      <input
        aria-label={guestText.textToType}
        placeholder={guestText.textExample}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <select
        aria-label={guestText.layout}
        value={layout}
        onChange={(event) => setLayout(event.currentTarget.value as LayoutName)}
      >
        {(Object.keys(LAYOUTS) as LayoutName[]).map((name) => (
          <option key={name} value={name}>
            {guestText.layouts[name]}
          </option>
        ))}
      </select>
      <button type="submit">{guestText.type}</button>
      {missing.length === 0 ? null : <Problem>{guestText.notOnKeyboard(missing.join(' '))}</Problem>}
    </form>
  );
}

/** A keyboard's memory is sixteen keys: who types faster than a guest reads loses some. */
const STROKE_MS = 15;

async function typeStrokes(rfb: RFB, strokes: readonly Stroke[]): Promise<void> {
  for (const { code, isShifted, isAltGr } of strokes) {
    const held = [...(isShifted ? ['ShiftLeft'] : []), ...(isAltGr ? ['AltRight'] : [])];
    for (const key of held) rfb.sendKey(0, key, true);
    rfb.sendKey(0, code);
    for (const key of held.toReversed()) rfb.sendKey(0, key, false);
    await new Promise((resolve) => setTimeout(resolve, STROKE_MS));
  }
}

function savePicture(place: HTMLElement | null, name: string): void {
  const canvas = place?.querySelector('canvas');
  if (canvas === null || canvas === undefined) return;
  const link = document.createElement('a');
  link.href = canvas.toDataURL('image/png');
  link.download = `${name}.png`;
  link.click();
}
