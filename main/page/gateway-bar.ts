import type { DesktopGatewayState } from '../../shared/desktop.ts';

const WORDS = 'Faxdesk stopped and is restarting. What you typed is still here.';

/**
 * Set one by one, because the content policy of the page allows no style of its own text. The colors are those of the
 * console where the page has them, in light or dark.
 */
const STYLES: Readonly<Record<string, string>> = {
  position: 'fixed',
  inset: '0 0 auto 0',
  'z-index': '2147483647',
  padding: '10px 16px',
  background: 'var(--warn-soft, #fbefd8)',
  color: 'var(--text, #1d1c1a)',
  'border-bottom': '1px solid var(--warn, #865000)',
  font: '600 14px/20px system-ui, sans-serif',
  'text-align': 'center',
};

let bar: HTMLElement | null = null;

/** A line above any page of the gateway while it does not run; the page beneath keeps what was typed. */
export function showGatewayBar(state: DesktopGatewayState): void {
  if (state === 'running') {
    bar?.remove();
    bar = null;
    return;
  }
  if (bar !== null) return;
  bar = document.createElement('div');
  bar.setAttribute('role', 'status');
  for (const [name, value] of Object.entries(STYLES)) bar.style.setProperty(name, value);
  document.documentElement.append(bar);
  // Filled after it is on the page, so that screen readers announce it.
  bar.textContent = WORDS;
}
