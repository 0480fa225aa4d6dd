import { t } from '../texts/index.ts';

/** Page until the session is loaded; the document shows the same before any script runs. */
export function Opening() {
  return <div className="opening">{t.shell.product}</div>;
}
