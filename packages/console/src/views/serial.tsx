/** The serial console. What the guest wrote before comes first; a lost connection is taken up again. */
import { FitAddon } from '@xterm/addon-fit';
import { Terminal } from '@xterm/xterm';
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { GUEST_PROTOCOL, guestSocket } from '../live/guest-socket.ts';
import { Command } from './parts.tsx';
import { useWayOut } from './way-out.ts';
import { guestText } from '../texts/guest.ts';

const AGAIN_MS = 1_000;

export default function Serial({ namespace, name }: { namespace: string; name: string }): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  useWayOut(place);
  const [state, setState] = useState(guestText.connecting);
  useEffect(() => {
    const terminal = new Terminal({ scrollback: 5_000, screenReaderMode: true, fontSize: 13 });
    const fit = new FitAddon();
    terminal.loadAddon(fit);
    if (place.current !== null) terminal.open(place.current);
    fit.fit();
    const onResize = (): void => fit.fit();
    addEventListener('resize', onResize);
    let socket: WebSocket | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const connect = (): void => {
      socket = new WebSocket(guestSocket(namespace, name, 'console'), GUEST_PROTOCOL);
      socket.binaryType = 'arraybuffer';
      socket.onopen = () => {
        terminal.reset();
        setState(guestText.connected);
      };
      socket.onmessage = ({ data }: MessageEvent<ArrayBuffer>) => terminal.write(new Uint8Array(data));
      socket.onclose = () => {
        if (isOver) return;
        setState(guestText.consoleLost);
        timer = setTimeout(connect, AGAIN_MS);
      };
    };
    const encoder = new TextEncoder();
    terminal.onData((text) => {
      if (socket?.readyState === WebSocket.OPEN) socket.send(encoder.encode(text));
    });
    connect();
    terminal.focus();
    return () => {
      isOver = true;
      clearTimeout(timer);
      socket?.close();
      removeEventListener('resize', onResize);
      terminal.dispose();
    };
  }, [namespace, name]);
  return (
    <>
      <p class="faint" role="status">
        {state} {guestText.wayOut} {guestText.inTerminal} <Command text={`virtctl console ${name} -n ${namespace} --share`} />
      </p>
      <div class="terminal" ref={place} />
    </>
  );
}
