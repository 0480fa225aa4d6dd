import type { Preview } from '../../../parts/previews/preview-run.ts';

/** Previews of faxes that were sent from this page: their pages are looked at further as long as they are kept. */
const previews = new Map<string, Preview>();

export function rememberPages(faxId: string, preview: Preview): void {
  previews.set(faxId, preview);
}

export function pagesOfSent(faxId: string): Preview | null {
  return previews.get(faxId) ?? null;
}

/** The gateway no longer has them. */
export function forgetPages(faxId: string): void {
  previews.delete(faxId);
}
