import { useQuery } from '@tanstack/react-query';
import { defaultsQuery } from '../../api/desk.ts';
import { useMe } from '../../api/queries.ts';
import { LoadProblem } from '../../parts/load-problem.tsx';
import { useScreenTitle } from '../../parts/window-title.ts';
import { t } from '../../texts/desk.ts';
import { Pane, PaneBody, PaneHead } from '../../ui/pane.tsx';
import { DefaultsForm } from './defaults-form.tsx';
import { MyComputer } from './my-computer.tsx';
import { MyPhrases } from './my-phrases.tsx';
import { MyPrintPassword } from './my-print-password.tsx';
import styles from './my-settings.module.css';
import { MySignatures } from './my-signatures.tsx';
import { MyTextSize } from './my-text-size.tsx';

const words = t.desk;

/** Shows the choices that new faxes of the signed-in person begin with, and their phrases, signatures and stamps. */
export function MySettingsScreen() {
  const me = useMe();
  const defaults = useQuery(defaultsQuery);
  useScreenTitle(words.title);
  return (
    <Pane label={words.title}>
      <PaneHead level={1} title={words.title} count={me?.principal.display_name ?? ''} isForm />
      <PaneBody isPadded>
        <div className={styles['parts']}>
          <LoadProblem of={defaults} />
          {defaults.data && <DefaultsForm key={defaults.data.version} saved={defaults.data} />}
          <MyTextSize />
          <MyComputer />
          <MyPhrases />
          <MySignatures />
          <MyPrintPassword />
        </div>
      </PaneBody>
    </Pane>
  );
}
