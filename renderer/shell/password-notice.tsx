import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { twoFactor } from '../api/two-factor.ts';
import { t } from '../texts/two-factor.ts';
import { Button } from '../ui/button.tsx';
import { formatCount, formatWhen } from '../ui/format.ts';
import { Notice } from '../ui/notice.tsx';
import styles from './shell.module.css';

const words = t.twoFactor.entered;
const KEY = ['two-factor', 'notice'];

/**
 * Warns that another person entered the right password of the signed-in person, without the second factor. Stays until
 * it is dismissed.
 */
export function PasswordNotice() {
  const queries = useQueryClient();
  const read = useQuery({ queryKey: KEY, queryFn: ({ signal }) => twoFactor.signInNotice({ signal }) });
  const notice = read.data?.notice ?? null;
  const dismiss = useMutation({
    mutationFn: (lastAt: string) => twoFactor.dismissSignInNotice({ body: { last_at: lastAt } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: KEY }),
  });
  if (notice === null) return null;
  const { count, last_at: lastAt, last_address: address } = notice;
  const action = (
    <Button isPending={dismiss.isPending} onPress={() => dismiss.mutate(lastAt)}>
      {words.dismiss}
    </Button>
  );
  return (
    <div className={styles['notice']}>
      <Notice
        tone="warn"
        isLive
        title={words.title(formatCount(count), count, formatWhen(lastAt), whereOf(address))}
        action={action}
      >
        {words.sentence} <Link to="/my-sign-in">{words.change}</Link>.
      </Notice>
    </div>
  );
}

function whereOf(address: string): string {
  return address === '::1' || address.startsWith('127.') ? words.thisComputer : address;
}
