import type { DesktopBridge } from '../shared/desktop.ts';

declare global {
  interface Window {
    /** There in the desktop window, absent in a browser. */
    readonly faxdesk?: DesktopBridge;
  }
}
