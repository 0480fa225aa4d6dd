import { useNavigate } from '@tanstack/react-router';
import { t } from '../texts/index.ts';
import { useActions } from '../ui/actions.tsx';
import { Button } from '../ui/button.tsx';
import { formatCount } from '../ui/format.ts';
import { type Fax, missingFrom } from './fax-state.ts';

interface SendAgainProps {
  readonly fax: Fax;
  /** True right after a person recorded that it did not arrive; the next action is to send it again. */
  readonly isFocused?: boolean;
  /** It cannot be sent again yet. */
  readonly isDisabled?: boolean;
  /** False while the key turns pages. */
  readonly hasKey?: boolean;
}

/**
 * Buttons that open the Send screen with the fax filled in: first its missing pages, where these are known, or the whole.
 * Nothing is sent by them.
 */
export function SendAgain({ fax, isFocused = false, isDisabled = false, hasKey = true }: SendAgainProps) {
  const missing = missingFrom(fax);
  const { pages } = fax.document;
  const navigate = useNavigate();
  const keys = hasKey ? { keys: 'r' } : {};
  const open = (from: number | null) =>
    void navigate({ to: '/send', search: { resend: fax.id, ...(from === null ? {} : { from }) } });
  useActions(t.fax.thisFax, [
    {
      id: 'send-again',
      label: t.fax.sendAgain,
      icon: 'refresh',
      ...keys,
      isDisabled,
      run: () => open(missing),
    },
  ]);
  return (
    <>
      {missing !== null && (
        <Button
          variant="primary"
          icon="refresh"
          {...keys}
          autoFocus={isFocused}
          isDisabled={isDisabled}
          onPress={() => open(missing)}
        >
          {t.fax.sendMissing(formatCount(missing), formatCount(pages))}
        </Button>
      )}
      <Button
        icon="refresh"
        {...(missing === null ? keys : {})}
        autoFocus={isFocused && missing === null}
        isDisabled={isDisabled}
        onPress={() => open(null)}
      >
        {missing === null ? t.fax.sendAgain : t.fax.sendAll}
      </Button>
    </>
  );
}
