"""Counts of one group of checks, printed for run.mjs: a line of JSON per failure and one at the end of the group."""

import json


class Group:
    def __init__(self, name):
        self.name, self.passed, self.failed = name, 0, 0

    def check(self, what, problems):
        """One check: passed when `problems` is empty."""
        problems = list(problems)
        if problems:
            self.failed += 1
            more = f' (and {len(problems) - 3} more)' if len(problems) > 3 else ''
            _emit({'group': self.name, 'failure': f'{what}: ' + '; '.join(problems[:3]) + more})
        else:
            self.passed += 1

    def close(self):
        _emit({'group': self.name, 'passed': self.passed, 'failed': self.failed})


def _emit(record):
    print(json.dumps(record), flush=True)
