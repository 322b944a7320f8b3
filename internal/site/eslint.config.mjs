// The rules for the site's JavaScript: make lint.
import { createRequire } from 'node:module';
import path from 'node:path';

// The packages are not beside this file: make fetches them into .local/node.
const require = createRequire(path.resolve('.local/node/package.json'));
const { configs } = require('@eslint/js');
const globals = require('globals');

export default [
  configs.recommended,
  {
    languageOptions: { globals: globals.browser },
    rules: {
      eqeqeq: 'error',
      'no-control-regex': 'off',
      'no-else-return': 'error',
      'no-shadow': 'error',
      'no-var': 'error',
      'object-shorthand': 'error',
      'prefer-const': 'error',
      'prefer-template': 'error',
    },
  },
  { files: ['**/worker.js'], languageOptions: { globals: globals.serviceworker } },
];
