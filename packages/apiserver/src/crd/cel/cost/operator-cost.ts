/** What operators with two operands cost at most beyond their operands, by the types that the operands may have. Pure. */
import { type CallCost, type Operand, sizeOf, texts } from './call-cost.ts';
import { plus, upTo } from './size.ts';

const isDynamic = ({ type }: Operand): boolean => type === undefined || type.kind === 'dyn';

/** Kubernetes' own types; two of them are compared in one step. */
const isKubernetes = ({ type }: Operand): boolean =>
  type?.kind === 'message' && /^(kubernetes|net)\./.test(type.name);

/** Both operands may have the type. Where one is not known before the rule runs, others may be meant, too. */
function fits(left: Operand, right: Operand, ...types: readonly string[]): 'no' | 'perhaps' | 'yes' {
  const is = ({ type }: Operand): boolean =>
    types.includes(type?.name ?? '') || types.includes(type?.kind ?? '');
  if (is(left) && is(right)) return 'yes';
  return (is(left) || isDynamic(left)) && (is(right) || isDynamic(right)) ? 'perhaps' : 'no';
}

export function operatorCost(operator: string, left: Operand, right: Operand): CallCost {
  const areTexts = fits(left, right, 'string', 'bytes');
  /** What texts cost, where both are; one unit where they are numbers. */
  const asTexts = (cost: number): number =>
    areTexts === 'no' ? 1 : areTexts === 'perhaps' ? Math.max(1, cost) : cost;
  const shorter = texts(upTo(Math.min(sizeOf(left).most, sizeOf(right).most)));
  switch (operator) {
    case '==':
      return { cost: isKubernetes(left) && isKubernetes(right) ? 1 : shorter };
    case '!=':
      return { cost: shorter };
    case '<':
    case '<=':
    case '>':
    case '>=':
      return { cost: asTexts(shorter) };
    case 'in':
      return { cost: fits(right, right, 'list') === 'no' ? 1 : sizeOf(right).most };
    case '+': {
      const size = plus(sizeOf(left), sizeOf(right));
      if (areTexts !== 'no') return { cost: asTexts(texts(size)), size };
      return fits(left, right, 'list') === 'no' ? { cost: 1 } : { cost: 1, size };
    }
    default:
      return { cost: 1 };
  }
}
