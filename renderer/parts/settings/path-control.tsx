import { useMutation } from '@tanstack/react-query';
import { t } from '../../texts/administration.ts';
import { Button } from '../../ui/button.tsx';
import { LineControl } from './line-control.tsx';
import styles from './setting-control.module.css';
import type { SettingControlProps } from './setting-props.ts';

/** Name of the audit file in a chosen folder. */
const FILE_NAME = 'faxdesk-audit.log';

/**
 * Field for the path of a file or folder. In the window of this computer's gateway, a button opens the dialog for folders;
 * a folder chosen there is also allowed.
 */
export function PathControl(props: SettingControlProps) {
  const { setting, drafts, label = setting.label, isDisabled } = props;
  const bridge = window.faxdesk;
  const choosing = useMutation({
    mutationFn: async () => (await bridge?.chooseFolder()) ?? null,
    onSuccess: (folder) => {
      if (folder === null) return;
      const slash = folder.includes('\\') ? '\\' : '/';
      const path =
        setting.format === 'file' ? `${folder.replace(/[/\\]$/u, '')}${slash}${FILE_NAME}` : folder;
      drafts.type(setting, path);
    },
  });
  const words = t.settings.path;
  return (
    <div className={styles['path']}>
      <LineControl {...props} />
      {bridge && (
        <Button
          icon="open"
          isDisabled={isDisabled === true || choosing.isPending}
          aria-label={words.chooseFor(label)}
          onPress={() => choosing.mutate()}
        >
          {words.choose}
        </Button>
      )}
      {choosing.isError && <span className={styles['help']}>{words.onlyHere}</span>}
    </div>
  );
}
