import { useRouter } from '@tanstack/react-router';
import { t } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';

export function NoScreen() {
  const router = useRouter();
  const action = <Button onPress={() => void router.navigate({ to: '/send' })}>{t.shell.goToFirst}</Button>;
  return (
    <main>
      <EmptyState icon="search" level={1} title={t.shell.noScreen} action={action}>
        {t.shell.noScreenSentence}
      </EmptyState>
    </main>
  );
}

/** In place of a screen whose code failed: the frame stays. */
export function ScreenBroke() {
  const action = <Button onPress={() => window.location.reload()}>{t.shell.reload}</Button>;
  return (
    <EmptyState icon="alert" level={1} title={t.shell.broke} action={action}>
      {t.shell.brokeSentence}
    </EmptyState>
  );
}

export function NotAllowed() {
  return (
    <EmptyState icon="lock" level={1} title={t.shell.notAllowed}>
      {t.shell.notAllowedSentence}
    </EmptyState>
  );
}
