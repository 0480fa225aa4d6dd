import { useKeptChoice } from '../../parts/kept-choice.ts';
import { useDrawerLayout } from '../../parts/received/use-wide-layout.ts';

/**
 * Returns whether the pages stand beside the details, as the person chose in this browser; until then where list, pages and
 * details fit beside each other.
 */
export function useWithPages(): [boolean, (withPages: boolean) => void] {
  const isRoomy = useDrawerLayout();
  const [chosen, keep] = useKeptChoice<boolean | null>('sent.pages', null, (stored) =>
    typeof stored === 'boolean' ? stored : null,
  );
  return [chosen ?? isRoomy, keep];
}
