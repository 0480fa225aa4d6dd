/** Bridge of the desktop window, as far as the frame uses it; it records the calls of the page. */
export const BRIDGE = `
  const noted = (window.noted = { notices: [], tray: null, opened: 0 });
  const nothing = () => () => {};
  window.faxdesk = {
    platform: 'linux', version: '0.1.0',
    onFiles: nothing, takeFiles: async () => [], onGateway: nothing,
    onCommand: (listener) => { noted.command = listener; return () => {}; },
    isInFront: async () => false, showNotice: async (notice) => { noted.notices.push(notice); },
    openWindow: async () => { noted.opened += 1; },
    setTray: async (tray) => { noted.tray = tray; }, signInFirstOwner: async () => false,
    preferences: async () => ({ startAtLogin: false, closeToTraySaid: true, noticesNameSender: false, mailbox: null, printer: null, quietUntil: null, gateway: { kind: 'own' } }),
  };`;
