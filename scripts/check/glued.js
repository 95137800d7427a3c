import { parseSync } from 'oxc-parser';

/** The functions that translate a text of the dashboard. */
export const MARKS = new Set(['t', 'msg', 'plural', 'rich']);
/** The same for mails. */
export const MAIL_MARKS = new Set(['mailText', 'mailPlural']);
/** Where texts stand among the arguments of the server's functions. */
const TEXTS_AT = { sentence: [0], mailText: [0], mailPlural: [1, 2] };

/** Calls that give a text in the reader's language, and those that show one. */
const TRANSLATED = new Set([...MARKS, 'failureText', 'said', 'template', 'format']);
/** Objects whose properties are such texts: those of the widget. */
const TEXTS = new Set(['texts']);
/** What may stand between two texts of the widget, whose budget has no room for more: a label, or a sentence, before a name. */
const JOINT = /^[:.] $/;
const SHOWING = /^(toast|notify)/;

/**
 * Sentences put together from pieces, which can be read in no language but English: where a text with values belongs, as
 * `t('Claimed by {name}', { name })`, or `sentence(…)` on the server.
 */
export function gluedIn(path, source) {
  const isServer = path.startsWith('server/');
  const problems = [];
  walk(parseSync(path, source).program, false);

  /** @param isShown whether people read what the node makes */
  function walk(node, isShown) {
    if (typeof node?.type !== 'string') return;
    if (
      isServer
        ? isShown && !isFixed(node)
        : isGlue(node) && !isJoint(node) && (isShown || piecesOf(node).some(isTranslated))
    ) {
      const line = source.slice(0, node.start).split('\n').length;
      problems.push(`${path}:${line} puts a sentence together: give one text its values (client/src/lib/i18n.ts)`);
      return;
    }
    for (const [key, value] of Object.entries(node)) {
      const isPart = isShown && isChoice(node) && key !== 'test';
      for (const [at, each] of [value].flat().entries()) walk(each, isPart || showsPart(node, key, at));
    }
  }

  function isJoint({ quasis = [] }) {
    const [start, ...between] = quasis.map(({ value }) => value.raw);
    return (
      path.startsWith('widget/') && start === '' && between.pop() === '' && between.every((each) => JOINT.test(each))
    );
  }

  function showsPart(node, key, at) {
    if (key !== 'arguments' || node.type !== 'CallExpression') return false;
    const called = node.callee.name ?? node.callee.object?.name ?? '';
    if (isServer) return Object.hasOwn(TEXTS_AT, called) && TEXTS_AT[called].includes(at);
    return MARKS.has(called) || SHOWING.test(called);
  }

  return problems;
}

/** Whether a text stands there as such, or a choice of such. */
const isFixed = (node) => isChoice(node) || typeof node.value === 'string';

/** Whether it is a template with values, or a sum with a text in it. */
function isGlue(node) {
  if (node.type === 'TemplateLiteral') return node.expressions.length > 0;
  return node.type === 'BinaryExpression' && node.operator === '+' && piecesOf(node).some(isText);
}

const isText = (node) => node.type === 'TemplateLiteral' || typeof node.value === 'string' || isGlue(node);

const isChoice = ({ type }) => type === 'ConditionalExpression' || type === 'LogicalExpression';

function piecesOf(node) {
  if (node.type === 'TemplateLiteral') return node.expressions;
  return node.type === 'ConditionalExpression' ? [node.consequent, node.alternate] : [node.left, node.right];
}

function isTranslated(node) {
  return isChoice(node)
    ? piecesOf(node).some(isTranslated)
    : TRANSLATED.has(node.callee?.name) || TEXTS.has(node.object?.name);
}
