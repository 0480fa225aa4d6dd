import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { printerQuery, printing, printPasswordQuery } from '../../api/printing.ts';
import { usePermission } from '../../api/queries.ts';
import { sentenceOf } from '../../api/sentence.ts';
import { AddPrinter } from '../../parts/fax-printer/add-printer.tsx';
import { t } from '../../texts/desk.ts';
import { Button } from '../../ui/button.tsx';
import { formatWhen } from '../../ui/format.ts';
import { announce } from '../../ui/live-region.tsx';
import { Notice } from '../../ui/notice.tsx';
import styles from './my-settings.module.css';

const words = t.desk.print;

/** The password with which the person prints from other computers: shown while the printer is open to the network. */
export function MyPrintPassword() {
  const maySend = usePermission('fax:send');
  const printer = useQuery({ ...printerQuery, enabled: maySend }).data;
  return printer?.mode === 'network' ? (
    <PrintPassword address={printer.network_uri} name={printer.network_name} />
  ) : null;
}

function PrintPassword(props: { readonly address: string | null; readonly name: string | null }) {
  const { address, name } = props;
  const queries = useQueryClient();
  const known = useQuery(printPasswordQuery).data;
  const read = () => queries.invalidateQueries(printPasswordQuery);
  const create = useMutation({
    mutationFn: () => printing.createPassword(),
    networkMode: 'always',
    onSuccess: () => void read(),
  });
  const remove = useMutation({
    mutationFn: () => printing.removePassword(),
    networkMode: 'always',
    async onSuccess() {
      create.reset();
      await read();
      announce(words.removed);
    },
  });
  const problem = create.error ?? remove.error;
  const createdAt = known?.created_at ?? null;
  return (
    <section className={styles['part']} aria-label={words.title}>
      <h2 className={styles['title']}>{words.title}</h2>
      <p className={styles['quiet']}>{words.sentence}</p>
      {address !== null && <p>{words.address(address)}</p>}
      {name !== null && <p className={styles['quiet']}>{words.found(name)}</p>}
      {problem !== null && (
        <Notice tone="danger" isLive>
          {sentenceOf(problem)}
        </Notice>
      )}
      {create.data ? (
        <Notice tone="ok" title={words.shownOnce} isLive>
          {words.created(create.data.login, create.data.password)}
        </Notice>
      ) : (
        <p className={styles['quiet']}>
          {createdAt === null ? words.none : words.since(known?.login ?? '', formatWhen(createdAt))}
        </p>
      )}
      {address !== null && <AddPrinter uri={address} />}
      <div className={styles['row']}>
        <Button isDisabled={create.isPending} onPress={() => create.mutate()}>
          {createdAt === null ? words.create : words.replace}
        </Button>
        {createdAt !== null && (
          <Button isDisabled={remove.isPending} onPress={() => remove.mutate()}>
            {words.remove}
          </Button>
        )}
      </div>
    </section>
  );
}
