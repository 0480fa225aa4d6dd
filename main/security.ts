import { app, type Session, shell, type WebContents, type WebPreferences } from 'electron';
import { LOCAL_ORIGIN } from './channels.ts';
import type { OriginGate } from './origin-gate.ts';

/** Pages get a renderer without Node, in a sandbox, with the preload in a world of its own. */
export function pagePreferences(preload: string, session: Session, version: string): WebPreferences {
  return {
    preload,
    session,
    contextIsolation: true,
    sandbox: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webviewTag: false,
    spellcheck: true,
    // The page keeps hearing of new faxes while the window is closed to the tray.
    backgroundThrottling: false,
    additionalArguments: [`--faxdesk-version=${version}`],
  };
}

/** Permissions that the console needs, among those a page can request. */
const GRANTED = new Set(['loopback-network', 'clipboard-sanitized-write']);

/** Shuts a session but for the gate's origin: few permissions, no other place of the network. */
export function secureSession(session: Session, gate: OriginGate): void {
  // The camera reads the code of a partner's card; the microphone stays shut.
  const isGranted = (permission: string, origin: string, isCamera: boolean) =>
    (GRANTED.has(permission) || (permission === 'media' && isCamera)) && gate.isOwn(origin);
  session.setPermissionRequestHandler((_contents, permission, answer, details) => {
    const types = 'mediaTypes' in details ? (details.mediaTypes ?? []) : [];
    answer(isGranted(permission, details.requestingUrl, types.join() === 'video'));
  });
  session.setPermissionCheckHandler((_contents, permission, origin, { mediaType }) =>
    isGranted(permission, origin, mediaType === 'video'),
  );
  session.setDevicePermissionHandler(() => false);
  const urls = ['http://*/*', 'https://*/*', 'ws://*/*', 'wss://*/*', 'ftp://*/*'];
  session.webRequest.onBeforeRequest({ urls }, ({ url }, answer) => {
    void gate.admit(url).then((admitted) => answer({ cancel: !admitted }));
  });
}

/** Keeps every page where it belongs; links to the web go to the browser. */
export function secureContents(gate: OriginGate): void {
  app.on('web-contents-created', (_event, contents: WebContents) => {
    const stay = (event: { preventDefault(): void }, url: string) => {
      if (gate.isOwn(url) || isLocal(url)) return;
      event.preventDefault();
      openInBrowser(url);
    };
    contents.on('will-navigate', (event, url) => stay(event, url));
    contents.on('will-redirect', (event, url) => stay(event, url));
    contents.on('will-attach-webview', (event) => event.preventDefault());
    contents.setWindowOpenHandler(({ url }) => {
      // The gateway's own pages, such as the description of the interface, may be read beside the window.
      if (gate.isOwn(url)) void shell.openExternal(url);
      else openInBrowser(url);
      return { action: 'deny' };
    });
  });
}

function isLocal(url: string): boolean {
  const parsed = URL.parse(url);
  return parsed !== null && `${parsed.protocol}//${parsed.host}` === LOCAL_ORIGIN;
}

/** Only what is meant for browsers: other schemes start other programs. */
function openInBrowser(url: string): void {
  const parsed = URL.parse(url);
  if (parsed?.protocol === 'https:' && parsed.username === '' && parsed.password === '')
    void shell.openExternal(parsed.href);
}
