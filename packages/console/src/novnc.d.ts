/** The parts of noVNC that the page uses; it comes without types. */
declare module '@novnc/novnc' {
  export default class RFB extends EventTarget {
    constructor(target: Element, url: string, options?: { readonly wsProtocols?: readonly string[] });
    scaleViewport: boolean;
    clipViewport: boolean;
    sendCtrlAltDel(): void;
    /** Pressed and released unless `down` says which; by its place, `code`, where the display knows places. */
    sendKey(keysym: number, code: string | null, down?: boolean): void;
    /** Into the guest's clipboard, where it has one. */
    clipboardPasteFrom(text: string): void;
    disconnect(): void;
  }
}
