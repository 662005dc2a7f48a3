/** The guest's screen. */
import RFB from '@novnc/novnc';
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { GUEST_PROTOCOL, guestSocket } from '../live/guest-socket.ts';
import { Command } from './parts.tsx';

const AGAIN_MS = 1_000;

export default function Screen({ namespace, name }: { namespace: string; name: string }): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const screen = useRef<RFB>(null);
  const [state, setState] = useState('connecting');
  useEffect(() => {
    let isOver = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const connect = (): void => {
      if (place.current === null) return;
      const rfb = new RFB(place.current, guestSocket(namespace, name, 'vnc'), {
        wsProtocols: [GUEST_PROTOCOL],
      });
      rfb.scaleViewport = true;
      rfb.addEventListener('connect', () => setState('connected'));
      rfb.addEventListener('disconnect', () => {
        if (isOver) return;
        setState('the screen is not there; trying again');
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
          Ctrl-Alt-Del
        </button>
        <span class="faint" role="status">
          {state} · in a terminal: <Command text={`virtctl vnc ${name} -n ${namespace}`} />
        </span>
      </div>
      <div class="screen" ref={place} />
    </>
  );
}
