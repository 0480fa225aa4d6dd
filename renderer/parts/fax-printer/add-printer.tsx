import { useMutation } from '@tanstack/react-query';
import {
  addPrinterCommand,
  FAX_PRINTER,
  inShell,
  PRINTER_SYSTEMS,
  type PrinterSystem,
} from '../../../shared/printer-command.ts';
import { sentenceOf } from '../../api/sentence.ts';
import { t } from '../../texts/fax-printer.ts';
import { Button } from '../../ui/button.tsx';
import { CopyField } from '../../ui/copy-field.tsx';
import { Notice } from '../../ui/notice.tsx';
import styles from './add-printer.module.css';

const words = t.faxPrinter;

/**
 * Adds the fax printer to a computer: with one button in the desktop application, and by a command for each system in a browser and
 * where the person may add no printers.
 */
export function AddPrinter({ uri }: { readonly uri: string }) {
  const bridge = window.faxdesk;
  const add = useMutation({
    mutationFn: async () => (await bridge?.addPrinter?.(uri)) ?? null,
    networkMode: 'always',
  });
  if (!bridge?.addPrinter) return <Commands uri={uri} sentence={words.byCommand} systems={PRINTER_SYSTEMS} />;
  const problem = add.error === null ? (add.data ?? null) : sentenceOf(add.error);
  return (
    <div className={styles['part']}>
      <div>
        <Button icon="plus" isPending={add.isPending} onPress={() => add.mutate()}>
          {add.isPending ? words.adding : words.add}
        </Button>
      </div>
      {add.isSuccess && problem === null && (
        <Notice tone="ok" isLive>
          {words.added}
        </Notice>
      )}
      {problem !== null && (
        <>
          <Notice tone="danger" title={words.refused} isLive>
            {problem}
          </Notice>
          <Commands uri={uri} sentence={words.asAdministrator} systems={[bridge.platform]} />
        </>
      )}
    </div>
  );
}

interface CommandsProps {
  readonly uri: string;
  readonly sentence: string;
  readonly systems: readonly PrinterSystem[];
}

function Commands({ uri, sentence, systems }: CommandsProps) {
  return (
    <div className={styles['part']}>
      <p>{sentence}</p>
      {systems.map((system) => (
        <CopyField
          key={system}
          label={words.system[system]}
          value={inShell(addPrinterCommand(system, { name: FAX_PRINTER, uri }))}
        />
      ))}
    </div>
  );
}
