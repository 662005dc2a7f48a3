/** The serial console and the screen. */
export const guestText = {
  inTerminal: '· in a terminal:',
  wayOut: '· Shift+Escape leaves it',
  connecting: 'connecting',
  connected: 'connected',
  consoleLost: 'the guest is not there; trying again',
  screenLost: 'the screen is not there; trying again',
  ctrlAltDel: 'Ctrl-Alt-Del',
  savePicture: 'Save picture',
  fit: 'Fit',
  textToType: 'Text to type into the guest',
  textExample: 'text to type into the guest',
  type: 'Type',
  layout: 'Keyboard layout of the guest',
  layouts: {
    us: 'US keyboard',
    gb: 'British keyboard',
    de: 'German keyboard',
    fr: 'French keyboard',
    es: 'Spanish keyboard',
    se: 'Swedish keyboard',
  },
  notOnKeyboard: (letters: string) =>
    `Nothing was typed: this keyboard has no key for ${letters}. Choose the layout that the guest has.`,
  copied: 'Copied in the guest',
  copyHere: 'Copy here',
};
