import { t } from '../texts/index.ts';

/** The page while it is not known who is there; the document shows the same before any script runs. */
export function Opening() {
  return <div className="opening">{t.shell.product}</div>;
}
