import { useState } from 'react';
import type { z } from 'zod';
import type { ContactImport } from '../../../../shared/api/contacts-import.ts';
import { t } from '../../../texts/contacts.ts';
import { Button } from '../../../ui/button.tsx';
import { formatCount, usePhoneFormat } from '../../../ui/format.ts';
import styles from './import-dialog.module.css';

const words = t.contacts.importing;
type Result = z.infer<typeof ContactImport>;

/** Rows of a list at first; the others are shown on request. */
const FIRST_ROWS = 100;

/** Lists the changes and remarks of an import, and every entry that it leaves out. */
export function ImportLists({ result }: { result: Result }) {
  const phone = usePhoneFormat();
  const { problems, remarks, changes, added, changed } = result;
  return (
    <>
      <Rows
        title={words.changes}
        total={added + changed}
        rows={changes.map(({ line, kind, name, fax_number, fields }) => ({
          line,
          sentence: `${name}, ${phone(fax_number)}. ${kind === 'new' ? words.isNew : words.changedFields(wordsOf(fields))}.`,
        }))}
      />
      <Rows title={words.remarks} total={remarks.length} rows={remarks} />
      <Rows title={words.lines} total={problems.length} rows={problems} />
    </>
  );
}

function wordsOf(fields: readonly string[]): string {
  return fields.map((name) => words.fields[name] ?? name).join(', ');
}

/** Rows by line of the file. `total` counts also those that the gateway did not list. */
function Rows(props: {
  title: string;
  total: number;
  rows: readonly { readonly line: number; readonly sentence: string }[];
}) {
  const { title, total, rows } = props;
  const [isWhole, setWhole] = useState(false);
  if (rows.length === 0) return null;
  const shown = isWhole ? rows : rows.slice(0, FIRST_ROWS);
  return (
    <div>
      <h3 className={styles['title']}>{title}</h3>
      <section className={styles['problems']} aria-label={title} tabIndex={0}>
        <dl>
          {shown.map(({ line, sentence }, at) => (
            // Several remarks may be about one line, and rows keep their places.
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            <div key={at}>
              <dt>{words.line(formatCount(line))}</dt>
              <dd>{sentence}</dd>
            </div>
          ))}
        </dl>
        {shown.length < rows.length ? (
          <Button variant="link" onPress={() => setWhole(true)}>
            {words.showAll(formatCount(rows.length))}
          </Button>
        ) : (
          total > rows.length && <p>{words.andMore(formatCount(total - rows.length))}</p>
        )}
      </section>
    </div>
  );
}
