/** The parts of noVNC that the page uses; it comes without types. */
declare module '@novnc/novnc' {
  export default class RFB extends EventTarget {
    constructor(target: Element, url: string, options?: { readonly wsProtocols?: readonly string[] });
    scaleViewport: boolean;
    sendCtrlAltDel(): void;
    disconnect(): void;
  }
}
