.PHONY: check format docs bench

check: ## format, lint, types and tests, as on every commit
	ruff format --check .
	ruff check .
	mypy
	pytest -n auto

format: ## put the code in form
	ruff format .
	ruff check --fix .

docs: ## write the generated references
	python docs/ontology_reference.py
	python docs/questions_reference.py
	python docs/generate.py

bench: ## measure against other engines, side by side in one run
	python bench/cold.py
